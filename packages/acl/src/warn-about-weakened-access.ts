import type { AclSettings } from './options.ts'

/** Says once at the start which protections are off. */
export function warnAboutWeakenedAccess(
  { checkIncludes, nested, recheckOwner, showWritten }: AclSettings,
  warn: (message: string) => void
): void {
  if (!checkIncludes) warn('acl: checkIncludes is off: include shows records that rules deny')
  if (nested === 'parent')
    warn('acl: nested is parent: nested routes show and change records that rules of their model deny')
  if (!recheckOwner) warn('acl: recheckOwner is off: owners can give records to other users')
  if (showWritten) warn('acl: showWritten is on: answers to writes show records to callers who may not read them')
}
