/** Bytes of one part: as base64 with its operation around it fits the gateway's body of 256 KiB. */
export const PART_BYTES_MAX = 180 * 1024;
/** Bytes of one file. */
export const FILE_BYTES_MAX = 1024 ** 3;
export const PARTS_MAX = Math.ceil(FILE_BYTES_MAX / PART_BYTES_MAX);
/** Bytes of a file that comes within JSON, which has to be read as a whole. */
export const JSON_BYTES_MAX = 10 * 1024 ** 2;
