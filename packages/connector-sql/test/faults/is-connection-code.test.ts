import t from 'tap'
import { isConnectionCode } from '@modelwire/connector-sql'

const codes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EPROTO',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'HOSTNAME_MISMATCH',
  'INVALID_CA'
]

void t.test('codes of sockets and of TLS say that there is no connection', async (t) => {
  for (const code of codes) t.equal(isConnectionCode(code), true, code)
  for (const code of ['', '23505', 'EEXIST', 'ERR_INVALID_ARG_TYPE', 'ERR_STRING_TOO_LONG', 'SQLITE_BUSY', '42501'])
    t.equal(isConnectionCode(code), false, code)
})
