/** Access to an S3-compatible store. */
export interface S3Settings {
  /** Origins without a trailing slash: for the server, and for browsers. */
  endpoint: string;
  publicEndpoint: string;
  region: string;
  bucket: string;
  /** Prefix of every key in the bucket: '', or ending in a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** True: the bucket's name is in the path; false: it is in front of the host name. */
  pathStyle: boolean;
  /** Lifetime of an address to which browsers are redirected, in seconds; 0: browsers are never redirected. */
  signedSeconds: number;
  /** Time without any data after which the store counts as unreachable, in ms. */
  timeoutMs: number;
}

export interface UploadSettings {
  /** Where the site keeps its files. */
  kept: 'folder' | 's3';
  /** Null if the settings name no store. May be set while files are kept in the folder: `prepa uploads move` then copies them. */
  s3: S3Settings | null;
}
