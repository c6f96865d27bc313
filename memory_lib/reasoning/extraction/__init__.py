"""From clauses to candidates and relations: the offline rule of the job *extract*."""
