/* The good runs of a point: a job each. */
#include "campaigns/campaign_point.h"

#include <string.h>

int64_t nuce_campaign_good(const struct nuce_campaign_point *point)
{
    return (int64_t)json_object_size(point->launches);
}

int64_t nuce_campaign_lacks(const struct nuce_campaign_point *point)
{
    int64_t good = nuce_campaign_good(point);

    return good < point->wanted ? point->wanted - good : 0;
}

/* The value of a launch in point->launches is a string if a job's part ran it. */
int64_t nuce_campaign_good_of_part(const struct nuce_campaign_point *point, const char *part)
{
    const char *job;
    json_t *of;
    int64_t good = 0;

    json_object_foreach(point->launches, job, of)
    {
        good += json_is_string(of) && strcmp(json_string_value(of), part) == 0;
    }
    return good;
}

int nuce_campaign_is_missing(const struct nuce_campaign_point *point)
{
    return nuce_campaign_lacks(point) > 0;
}
