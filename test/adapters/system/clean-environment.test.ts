// What commands of a project see of the network settings of the person.
import { expect, test } from 'vitest';
import { networkVariables } from '../../../src/adapters/system/clean-environment.ts';

test('proxies and certificates are passed on, and nothing with a password in it', () => {
  const env = {
    HTTPS_PROXY: 'http://proxy:3128',
    http_proxy: 'http://me:secret@proxy:3128',
    NO_PROXY: 'localhost',
    SSL_CERT_FILE: '/etc/certs.pem',
    GITHUB_TOKEN: 'canary',
    NPM_TOKEN: 'canary',
  };
  expect(networkVariables(env)).toEqual({
    HTTPS_PROXY: 'http://proxy:3128',
    NO_PROXY: 'localhost',
    SSL_CERT_FILE: '/etc/certs.pem',
  });
});
