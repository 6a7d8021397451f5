! The styles of styles_mpif.inc by use mpi_f08: styles_mpi_f08 FOLDER.
program styles_mpi_f08
  use mpi_f08
  implicit none
  integer, parameter :: rounds = 14, most = 4096, counts = 10
  type(MPI_Request) :: request(2), kept(2)
  type(MPI_Status) :: statuses(2)
  type(MPI_Comm) :: half, grid
  integer :: error
  logical :: flag
  integer :: done, indices(2)
  integer :: rank, ranks, round, bytes, up, down, index, i, half_ranks
  integer :: numbers(64), other_numbers(64), places(64), data(1024), got(1024)
  character :: in(most), out(most)
  character(len=1024) :: folder, path
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, ranks, error)
  call get_command_argument(1, folder)
  write (path, '(a,a,i0)') trim(folder), '/counts.', rank
  open (counts, file=path)
  include 'styles_mpif.inc'
  close (counts)
  call mpi_finalize(error)
end program
