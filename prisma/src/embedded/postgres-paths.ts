/** Paths of the programs that `user` can run, and their major version of PostgreSQL. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  majorVersion: string;
}

/** Absolute paths inside one data directory. */
export interface DataDir {
  root: string;
  /** PostgreSQL's own directory; it is either complete or missing. */
  cluster: string;
  /** File with the database password, readable by us only. */
  password: string;
  /** File that names the process that runs this database. */
  owner: string;
}
