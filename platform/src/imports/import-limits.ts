/** Bytes of one part. In base64, within its operation, it fits into a request of 256 KiB to the gateway. */
export const PART_BYTES_MAX = 180 * 1024;
/** Maximum bytes of one file. */
export const FILE_BYTES_MAX = 1024 ** 3;
export const PARTS_MAX = Math.ceil(FILE_BYTES_MAX / PART_BYTES_MAX);
/** Maximum bytes of a file within JSON, which is read as a whole. */
export const JSON_BYTES_MAX = 10 * 1024 ** 2;
