"""Arguments, standard output and error, progress, exit status: nowhere else."""
