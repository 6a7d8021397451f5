! The styles of styles_mpif.inc by mpif.h: styles_mpif FOLDER.
program styles_mpif
  implicit none
  include 'mpif.h'
  integer, parameter :: rounds = 14, most = 4096, counts = 10
  integer :: request(2), kept(2), statuses(MPI_STATUS_SIZE, 2), half, grid, error
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
