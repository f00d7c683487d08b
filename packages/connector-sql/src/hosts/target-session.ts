import { InvalidOption } from '@modelwire/core/connector'

/** What a host has to be, as libpq names it. */
export const targetSessions = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

/** What a host has to be. */
export type TargetSession = (typeof targetSessions)[number]

/** What a server said of a session. */
export interface SessionState {
  /** It copies another server. */
  readonly isStandby: boolean
  readonly isReadOnly: boolean
}

/** What a session lacks of what it has to be; undefined where it is suitable. A preference is for who chooses. */
export function unsuited(wanted: TargetSession, { isStandby, isReadOnly }: SessionState): string | undefined {
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
  throw new InvalidOption(`target_session_attrs is one of ${targetSessions.join(', ')}`, { key })
}

/** Whether hosts are tried in a random order. @throws {InvalidOption} the text is neither `random` nor `disable` */
export function readBalance(text: string, key: string): boolean {
  if (text === 'random' || text === 'disable') return text === 'random'
  throw new InvalidOption('load_balance_hosts is random or disable', { key })
}
