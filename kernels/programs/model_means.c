/* Means over instances of what a model finds. Each result that is a number has its mean, deviation,
 * least and largest, in one pass and without keeping the values; texts are those of the last
 * instance. Looked up by name along the table, some tens of rows. */
#include "programs/model_means.h"

#include <math.h>
#include <string.h>

/* Welford, Technometrics 4(3), 1962. The mean that is shown is that of the plain sum, which is
 * exact for whole numbers. */
void nuce_model_mean_add(struct nuce_model_mean *mean, double value)
{
    double before = value - mean->middle;

    mean->count++;
    mean->sum += value;
    mean->least = mean->count == 1 ? value : fmin(mean->least, value);
    mean->largest = mean->count == 1 ? value : fmax(mean->largest, value);
    mean->middle += before / (double)mean->count;
    mean->squares += before * (value - mean->middle);
}

double nuce_model_mean_deviation(const struct nuce_model_mean *mean)
{
    return mean->count < 2 ? NAN : sqrt(mean->squares / (double)(mean->count - 1));
}

void nuce_model_means_init(const struct nuce_result *const *tables, struct nuce_model_means *out)
{
    *out = (struct nuce_model_means){0};
    for (; *tables != NULL; tables++) {
        for (const struct nuce_result *row = *tables; row->name != NULL; row++) {
            NUCE_ASSERT(out->rows < NUCE_MEANS_MOST);
            out->row[out->rows++] = row;
        }
    }
}

void nuce_model_means_fini(struct nuce_model_means *means)
{
    json_decref(means->last);
    means->last = NULL;
}

nuce_status nuce_model_means_add(struct nuce_model_means *means, const struct nuce_found *found,
                                 struct nuce_error *error)
{
    json_t *values = nuce_found_values(found, error);

    if (values == NULL)
        return error->status;
    for (int i = 0; i < means->rows; i++) {
        const json_t *value = json_object_get(values, means->row[i]->name);

        if (json_is_number(value))
            nuce_model_mean_add(&means->mean[i], json_number_value(value));
    }
    json_decref(means->last);
    means->last = values;
    return NUCE_OK;
}

const struct nuce_model_mean *nuce_model_means_of(const struct nuce_model_means *means,
                                                  const char *name)
{
    for (int i = 0; i < means->rows; i++) {
        if (strcmp(means->row[i]->name, name) == 0)
            return &means->mean[i];
    }
    NUCE_ASSERT(!"no such result");
    return NULL;
}

/* Of integers: the least, which says what is so of every instance; where all have the same, the
 * last one's to the last digit, which a double has not beyond 2^53. */
void nuce_model_means_describe(const struct nuce_model_means *means, struct nuce_found *found)
{
    for (int i = 0; i < means->rows; i++) {
        const struct nuce_result *row = means->row[i];
        const struct nuce_model_mean *mean = &means->mean[i];
        const json_t *last = json_object_get(means->last, row->name);

        if (row->type == NUCE_TEXT)
            nuce_found_text(found, row->name, json_string_value(last));
        else if (mean->count > 0 && row->type == NUCE_REAL)
            nuce_found_real(found, row->name, mean->sum / (double)mean->count);
        else if (mean->count > 0 &&
                 (!(mean->least < mean->largest) || row->flags & NUCE_RESULT_EVERY))
            nuce_found_integer(found, row->name,
                               mean->least < mean->largest || !json_is_integer(last)
                                   ? (int64_t)mean->least
                                   : json_integer_value(last));
    }
}
