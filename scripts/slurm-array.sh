#!/usr/bin/env bash
#SBATCH --job-name=juicestand
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --output=juicestand-%A-%a.log
# A simulation as a Slurm array: each task runs a shard, and a job that is no array merges them.
#
#   job=$(sbatch --parsable --array=1-16 scripts/slurm-array.sh whole.json --vary makers=1,2,3 --replications 1000)
#   sbatch --dependency="afterok:$job" scripts/slurm-array.sh whole.json --report whole.html
#
# In the array the options after the file are those of `juicestand simulate`, in the merging job those of `juicestand
# merge`. Shards are kept in whole.json.shards. A task that failed is run again with `scontrol requeue JOB_TASK`: a new
# array of that task alone would be another division of the work. JUICESTAND names the program, where it is not
# .build/release/juicestand of the folder the job was submitted from.
set -euo pipefail
cd "${SLURM_SUBMIT_DIR:-.}"
program=${JUICESTAND:-.build/release/juicestand}
output=${1:?usage: sbatch [--array=1-N] scripts/slurm-array.sh OUTPUT.json [options…]}
shift
if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    mkdir -p "$output.shards"
    # Which shard of how many, the program reads from the array's variables.
    exec "$program" simulate --jobs "${SLURM_CPUS_PER_TASK:-1}" \
        --output "$output.shards/$SLURM_ARRAY_TASK_ID.json" "$@"
fi
exec "$program" merge --output "$output" "$@" "$output.shards"/*.json
