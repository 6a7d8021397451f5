/* What of MPI the interposer itself uses is weak: it is loaded into processes without MPI too, the
 * launcher's. The wrappers' own calls are made so by generate.awk. */
#ifndef NUCE_WEAK_H
#define NUCE_WEAK_H

#include <mpi.h>

#pragma weak PMPI_Allreduce
#pragma weak PMPI_Bcast
#pragma weak PMPI_Cart_get
#pragma weak PMPI_Cart_shift
#pragma weak PMPI_Cartdim_get
#pragma weak PMPI_Comm_create_keyval
#pragma weak PMPI_Comm_f2c
#pragma weak PMPI_Comm_get_attr
#pragma weak PMPI_Comm_get_parent
#pragma weak PMPI_Comm_group
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_set_attr
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Dist_graph_neighbors
#pragma weak PMPI_Dist_graph_neighbors_count
#pragma weak PMPI_Finalized
#pragma weak PMPI_Get_library_version
#pragma weak PMPI_Graph_neighbors
#pragma weak PMPI_Graph_neighbors_count
#pragma weak PMPI_Group_free
#pragma weak PMPI_Group_translate_ranks
#pragma weak PMPI_Ibarrier
#pragma weak PMPI_Message_f2c
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Recv
#pragma weak PMPI_Request_c2f
#pragma weak PMPI_Request_f2c
#pragma weak PMPI_Send
#pragma weak PMPI_Status_f2c
#pragma weak PMPI_Test_cancelled
#pragma weak PMPI_Topo_test
#pragma weak PMPI_Type_f2c
#pragma weak PMPI_Type_size_x
#pragma weak PMPI_Wait

/* What Fortran's constants are. */
#pragma weak MPI_F_STATUS_IGNORE
#pragma weak MPI_F_STATUSES_IGNORE

/* Open MPI's constants are addresses of its objects. They are looked for when they are used: where
 * a program loads the library itself, as Python does, it was not there when this one was. */
#ifdef OMPI_PREDEFINED_GLOBAL
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, name) ((type)nuce_tap_object(#name))
#endif
void *nuce_tap_object(const char *name);

/* Whether a status, or statuses, of Fortran are not wanted. */
int nuce_tap_is_ignored(const MPI_Fint *statuses);

/* Whether data is MPI_IN_PLACE of C or of Fortran. */
int nuce_tap_is_in_place(const void *data);

#endif
