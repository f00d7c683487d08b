import type { AclSettings } from './options.ts'

/** Warns once at startup about protections that are off. */
export function warnAboutWeakenedAccess(
  { checkIncludes, nested, recheckOwner, showWritten }: AclSettings,
  warn: (message: string) => void
): void {
  if (!checkIncludes) warn('acl: checkIncludes is off: include reveals records that rules deny')
  if (nested === 'parent')
    warn('acl: nested is parent: nested routes expose records that rules of their own model deny')
  if (!recheckOwner) warn('acl: recheckOwner is off: owners can give records to other users')
  if (showWritten) warn('acl: showWritten is on: responses to writes reveal records to callers who may not read them')
}
