/* libnuce_mpi: exchanges of MPI-4's persistent collectives that run under a schedule of nuce, by
 * the engine that nuce measures. nuce_mpi(3) has the rules and an example. */
#ifndef NUCE_MPI_H
#define NUCE_MPI_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NUCE_API __attribute__((visibility("default")))

/* A persistent exchange. Start and complete it any number of times, then free it. */
typedef struct nuce_mpi_request *nuce_request;
#define NUCE_REQUEST_NULL ((nuce_request)0)

/* These make an inactive request. Arguments are MPI's, of MPI_Alltoallv_init and so on. Arrays and
 * datatypes may be changed and freed afterwards; the two buffers stay. comm, an intracommunicator,
 * is only duplicated.
 *
 * info: the key nuce_schedule names a schedule of 'nuce list schedules'; alltoallv is the MPI
 * library's own call. Other keys are nuce_ and an option of that schedule, such as nuce_radix.
 * Without nuce_schedule a tuning file of nuce-advise(1) decides: that of the key nuce_tuning, else
 * of the environment variable NUCE_TUNING, as rank 0 of comm has it. The MPI library's own call
 * runs if no file is named, or if it has no rule for the exchange or is of another machine or MPI
 * library.
 *
 * They return MPI_SUCCESS or an error class, the same on all ranks unless noted. MPI_ERR_ARG: info
 * is wrong or differs between ranks, the schedule cannot run here, or the tuning file is damaged.
 * MPI_ERR_TRUNCATE: a rank sends more bytes than its receiver expects. MPI_ERR_COUNT: it sends
 * fewer, or a count is negative. MPI_ERR_TYPE: a datatype is not committed. In these cases *request
 * is a request that nuce_request_error describes, and that must be freed. In the others it is
 * NUCE_REQUEST_NULL. MPI_ERR_TOPOLOGY: comm has no neighbours, or one twice in a Cartesian
 * topology. MPI_ERR_COMM, not collective: comm is null or an intercommunicator. Collective over
 * comm. */
NUCE_API int nuce_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, nuce_request *request);
NUCE_API int nuce_alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 const MPI_Datatype sendtypes[], void *recvbuf,
                                 const int recvcounts[], const int rdispls[],
                                 const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                 nuce_request *request);
NUCE_API int nuce_neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[],
                                          const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                          const int recvcounts[], const int rdispls[],
                                          MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                          nuce_request *request);
NUCE_API int nuce_neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[],
                                          const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                          void *recvbuf, const int recvcounts[],
                                          const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                          MPI_Comm comm, MPI_Info info, nuce_request *request);

/* Starts an inactive request; both buffers belong to it until it is complete. Local. */
NUCE_API int nuce_start(nuce_request request);

/* *flag: 1 if the request is complete or inactive, which it is from then on. Only calls for a
 * request advance it. Local. */
NUCE_API int nuce_test(nuce_request request, int *flag);

/* Waits until the request is complete, or all of them are. nuce_wait advances no other request, so
 * all ranks wait for several in the same order, or by nuce_waitall. */
NUCE_API int nuce_wait(nuce_request request);
NUCE_API int nuce_waitall(int count, const nuce_request requests[]);

/* Frees an inactive request, or a failed one, and sets it to NUCE_REQUEST_NULL. Collective. */
NUCE_API int nuce_request_free(nuce_request *request);

/* Why the request could not be made; "" for one that was. Valid until the request is freed. */
NUCE_API const char *nuce_request_error(nuce_request request);

/* The schedule and options of the request. By a tuning file: its name and its rule, or the reason
 * why it has none. "" for a failed one. Valid until the request is freed. */
NUCE_API const char *nuce_request_schedule(nuce_request request);

#ifdef __cplusplus
}
#endif

#endif
