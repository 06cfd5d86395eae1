/** How the files of an S3-compatible store are reached. */
export interface S3Settings {
  /** Origins without a trailing slash: the server's way to it, and browsers'. */
  endpoint: string;
  publicEndpoint: string;
  region: string;
  bucket: string;
  /** What every name in the bucket begins with: '', or ending in a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket stands in the path, else before the host's name. */
  pathStyle: boolean;
  /** For how long an address is good that a browser is sent to; 0: none is sent anywhere. */
  signedSeconds: number;
  /** How long nothing may be heard of the store, in ms. */
  timeoutMs: number;
}

export interface UploadSettings {
  /** Where the site keeps its files. */
  kept: 'folder' | 's3';
  /** Null where the settings name no store. It may be named while files are still kept in the folder: `prepa uploads move` fills it. */
  s3: S3Settings | null;
}
