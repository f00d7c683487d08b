import type { AclOptions } from './options.ts'

/** Says once at the start which protections are off. */
export function tellRelaxedAccess(options: AclOptions, warn: (message: string) => void): void {
  if (options.checkIncludes === false) warn('acl: checkIncludes is off: include shows records that rules deny')
  if (options.recheckOwner === false) warn('acl: recheckOwner is off: owners can give records to somebody else')
}
