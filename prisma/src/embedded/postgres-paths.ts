/** Paths of the programs that `user` can run, and the major version of PostgreSQL that they are. */
export interface PostgresBinaries {
  postgres: string;
  initdb: string;
  majorVersion: string;
}

/** Absolute paths inside one data directory. */
export interface DataDir {
  root: string;
  /** PostgreSQL's own directory; it appears complete or not at all. */
  cluster: string;
  /** The database password, readable by us only. */
  password: string;
  /** Which of our processes runs this database. */
  owner: string;
}
