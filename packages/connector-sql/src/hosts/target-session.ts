import { InvalidOption } from '@modelwire/server'
import { targetSessions, type TargetSession } from '../settings.ts'

const code = 'HOST_NOT_SUITABLE'

/** What a server reported about a session. */
export interface SessionState {
  /** The server is a replica. */
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

/** Returns why the session does not satisfy `target_session_attrs`; undefined if it does. Preferences are up to the caller. */
export function sessionMismatch(wanted: TargetSession, { isStandby, isReadOnly }: SessionState): string | undefined {
  return {
    any: undefined,
    'read-write': isStandby || isReadOnly ? 'the host is read-only' : undefined,
    'read-only': isStandby || isReadOnly ? undefined : 'the host is not read-only',
    primary: isStandby ? 'the host is a standby' : undefined,
    standby: isStandby ? undefined : 'the host is not a standby',
    'prefer-standby': undefined
  }[wanted]
}

/** @throws {InvalidOption} it is none of libpq's */
export function readTargetSession(text: string, key: string): TargetSession {
  const found = targetSessions.find((each) => each === text)
  if (found !== undefined) return found
  throw new InvalidOption(`target_session_attrs must be one of ${targetSessions.join(', ')}`, { key })
}

/** Whether hosts are tried in a random order. @throws {InvalidOption} the text is neither `random` nor `disable` */
export function readBalance(text: string, key: string): boolean {
  if (text === 'random' || text === 'disable') return text === 'random'
  throw new InvalidOption('load_balance_hosts must be random or disable', { key })
}

/** The error of a connection to a host that is not in the required state: `reason` describes its state. */
export function unsuitableHost(reason: string): Error {
  return Object.assign(new Error(reason), { code })
}

/** True for such an error. */
export function isUnsuitableHost(error: Error): boolean {
  return 'code' in error && error.code === code
}
