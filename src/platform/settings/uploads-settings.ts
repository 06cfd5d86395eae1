import { isIP } from 'node:net';
import { z } from 'zod';
import type { UploadSettings } from '../files/store-settings.ts';
import { isPrivateAddress, isPrivateHost, type Variables } from './production-settings.ts';
import { flag, originUrl, whole } from './variables.ts';

/** Access key or secret, which are put into a header and an address unencoded. */
const key = z.string().regex(/^[\x21-\x7e]{3,200}$/, { error: 'doit tenir en 200 caractères sans espace ni accent' });

/** Storage of pictures and documents; .env.example describes the variables. */
export const uploadVariables = {
  UPLOADS: z.enum(['folder', 's3'], { error: 'doit valoir folder ou s3' }).default('folder'),
  S3_ENDPOINT: originUrl.optional(),
  S3_PUBLIC_ENDPOINT: originUrl.optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z\d-]{1,40}$/, { error: 'doit être un nom de région, comme eu-west-3' })
    .default('us-east-1'),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, {
      error: "doit être un nom de compartiment : 3 à 63 lettres minuscules, chiffres, '-' ou '.'",
    })
    .optional(),
  /** Prefix of keys: empty, or ending in a slash. */
  S3_PREFIX: z
    .string()
    .regex(/^(\w[\w.-]*\/?)*$/, { error: "doit être fait de lettres sans accent, de chiffres, de '-', '.', '_' et '/'" })
    .max(200)
    .default('')
    .transform((value) => (value === '' || value.endsWith('/') ? value : `${value}/`)),
  S3_ACCESS_KEY_ID: key.optional(),
  S3_SECRET_ACCESS_KEY: key.optional(),
  S3_PATH_STYLE: flag('on'),
  S3_SIGNED_SECONDS: whole(300, 0, 86_400),
  S3_TIMEOUT_MS: whole(5_000, 100, 60_000),
};

export const uploadSecrets = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

export function uploadsOf(env: z.output<z.ZodObject<typeof uploadVariables>>): UploadSettings {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const isNamed = endpoint && bucket && accessKeyId && secretAccessKey;
  return {
    kept: env.UPLOADS,
    s3: isNamed
      ? {
          endpoint,
          publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? endpoint,
          region: env.S3_REGION,
          bucket,
          prefix: env.S3_PREFIX,
          accessKeyId,
          secretAccessKey,
          pathStyle: env.S3_PATH_STYLE,
          signedSeconds: env.S3_SIGNED_SECONDS,
          timeoutMs: env.S3_TIMEOUT_MS,
        }
      : null,
  };
}

/** Returns the faults of the upload settings, in French: missing variables, and rules for production. */
export function uploadFaults(env: Variables): string[] {
  const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  return [
    ...(env.UPLOADS === 's3' ? needed.filter((name) => !env[name]).map((name) => `${name} est obligatoire avec UPLOADS=s3`) : []),
    ...(env.NODE_ENV === 'production' && env.S3_ENDPOINT ? productionFaults(env) : []),
  ];
}

/** Demonstration keys of MinIO and of the tests' server. */
const published = /^(minioadmin|minio123|S3RVER|accessKey1|verySecretKey1)$/i;

function productionFaults(env: Variables): string[] {
  const endpoint = urlOf(env.S3_ENDPOINT);
  const open = urlOf(env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT);
  const sends = Number(env.S3_SIGNED_SECONDS ?? 1) !== 0;
  const unreached = open !== null && (open.protocol === 'http:' || isPrivateHost(hostOf(open)));
  return [
    // Paid content and request signatures are sent to this address.
    ...(endpoint?.protocol === 'http:' && !isThisMachine(hostOf(endpoint))
      ? ['S3_ENDPOINT doit être une adresse https en production, sauf sur cette machine']
      : []),
    ...(sends && unreached
      ? [
          `${env.S3_PUBLIC_ENDPOINT ? 'S3_PUBLIC_ENDPOINT' : 'S3_ENDPOINT'} doit être une adresse https que les navigateurs atteignent : réglez S3_PUBLIC_ENDPOINT, ou S3_SIGNED_SECONDS=0`,
        ]
      : []),
    ...uploadSecrets
      .filter((name) => published.test(env[name] ?? ''))
      .map((name) => `${name} porte une valeur d'exemple, d'essai ou de démonstration`),
  ];
}

const urlOf = (address: string | undefined): URL | null => (address && URL.canParse(address) ? new URL(address) : null);
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.+$/g, '');
const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.') && isPrivateAddress(host));
