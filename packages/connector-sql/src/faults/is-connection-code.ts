/** Of a socket: refused, reset, unknown names, time-outs. */
const ofSockets = /^E(?:CONN|PIPE|HOST|NET|TIMEDOUT|NOTFOUND|AI_|NOENT|ADDRNOTAVAIL|ACCES|PROTO)/

/** Of TLS: the handshake, and certificates that are not trusted, expired or of another host. @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const ofTls =
  /^(?:ERR_(?:SSL|TLS|OSSL)|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_C|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)$|PATH_LENGTH_)/

/** True for an error of a socket that took too long to connect. */
export function isConnectTimeout(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect' && 'code' in error && error.code === 'ETIMEDOUT'
}

/** True for the `code` of an error for a connection that could not be made, or broke. */
export function isConnectionCode(code: string): boolean {
  return ofSockets.test(code) || ofTls.test(code)
}
