const code = 'HOST_NOT_SUITABLE'

/** The error of a connection to a host that is not what it has to be: `reason` says what it is. */
export function unsuitableHost(reason: string): Error {
  return Object.assign(new Error(reason), { code })
}

/** True for such an error. */
export function isUnsuitableHost(error: Error): boolean {
  return 'code' in error && error.code === code
}
