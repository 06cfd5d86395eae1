import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Encodes a DER value: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const hex = (text: string) => Buffer.from(text, 'hex');

const ecdsaWithSha256 = sequence(hex('06082a8648ce3d040302'));
const commonName = hex('0603550403');
const subjectAltName = hex('0603551d11');

interface CertificateOptions {
  /** Additional host names. */
  others?: string[];
  /** Start and end of the validity, in days from now. */
  from?: number;
  to?: number;
}

/** Returns a self-signed certificate for a host name, by default valid from yesterday until tomorrow, with its key; both as PEM. */
export function createCertificate(
  name: string,
  { others = [], from = -1, to = 1 }: CertificateOptions = {},
): { certificate: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const entity = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
  const day = 86_400_000;
  const time = (at: number) =>
    der(
      0x17,
      Buffer.from(
        `${new Date(at)
          .toISOString()
          .replaceAll(/[-:T]|\.\d+/g, '')
          .slice(2)}`,
      ),
    );
  const names = sequence(...[name, ...others].map((each) => der(0x82, Buffer.from(each))));
  const toSign = sequence(
    der(0xa0, hex('020102')),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    entity,
    sequence(time(Date.now() + from * day), time(Date.now() + to * day)),
    entity,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, names)))),
  );
  const signed = sequence(toSign, ecdsaWithSha256, bits(sign('sha256', toSign, privateKey)));
  const base64 = (signed.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}
