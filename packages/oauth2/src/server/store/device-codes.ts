import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { isPlainObject } from '@modelwire/server'
import type { StateStore } from './states.ts'

/** Letters that are not taken for others, and make no words. @see RFC 8628 section 6.1 */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

const length = 8

const showUserCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`

/** The request of a device, and its state. */
interface DeviceFacts {
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly userCode: string
  /** Milliseconds when the codes expire. */
  readonly endsAt: number
  /** Seconds between two polls of the device. */
  readonly interval: number
  /** Milliseconds of the last poll. */
  readonly polledAt: number
  /** The user who allowed it, and when that user logged in, in milliseconds. */
  readonly userId?: unknown
  readonly authTime?: number
  /** Marks of that approval. */
  readonly marks?: ApprovalMarks
}

/** The state of a request: pending, allowed, denied, used, or used a second time. */
type DeviceState = 'new' | 'allowed' | 'denied' | 'used' | 'stolen'

/** A request of a device. */
export interface DeviceRow {
  readonly id: string
  readonly state: string
  readonly facts: DeviceFacts
}

/** The codes of devices. */
export interface DeviceCodes {
  /** Starts a request: returns a code for the device, and a code for its user. */
  start(
    request: Pick<DeviceFacts, 'clientId' | 'scopes' | 'resources'>
  ): Promise<{ deviceCode: string; userCode: string }>
  /** Finds a request by the device's code; also for a while after it has ended. */
  findByDeviceCode(code: string): Promise<DeviceRow | undefined>
  /** Finds a request by the user's code, as long as it can be answered. */
  findByUserCode(userCode: string): Promise<DeviceRow | undefined>
  /** Changes a request in state `from`; true for only one of concurrent callers. */
  change(row: DeviceRow, from: DeviceState, to: DeviceState, facts?: Partial<DeviceFacts>): Promise<boolean>
  /** The marks to store with a user's approval. */
  marks(row: DeviceRow, userId: unknown): Promise<ApprovalMarks>
  /** False once the code was used again, or the user's approval was revoked. */
  stands(row: DeviceRow): Promise<boolean>
}

/** Lifetime of the codes in seconds. */
export const deviceLifetime = 600
/**
 * Seconds that a device waits between two polls.
 * @see RFC 8628 section 3.2
 */
export const deviceInterval = 5

// A device that polls late learns that its code has expired, not that there was none.
const memory = 600
/** Seconds in which an approval may become tokens, or revoke those in progress. */
export const approvalLifetime = deviceLifetime + memory

interface Stored extends DeviceFacts {
  readonly secretHash: string
}

const kinds = { device: 'device', user: 'device-user' } as const
/** States in which a device may get tokens, or is about to. */
const approved: ReadonlySet<string> = new Set<DeviceState>(['allowed', 'used'])
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
const isStored = (data: unknown): data is Stored => isPlainObject(data) && 'secretHash' in data && 'userCode' in data

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000)

/**
 * Makes the store of device codes. A row is found by its id, which both codes contain; the device's secret is stored as a
 * hash.
 */
export function makeDeviceCodes(states: StateStore): DeviceCodes {
  const find = async (id: string): Promise<(DeviceRow & { facts: Stored }) | undefined> => {
    const row = await states.read(kinds.device, id)
    if (row === undefined || !isStored(row.data)) return undefined
    const { state, data: facts } = row
    return !approved.has(state) || (await stillApproved(states, facts)) ? { id, state, facts } : undefined
  }
  return {
    start: async (request) => {
      const [id, secret] = [randomBytes(16).toString('base64url'), randomBytes(32).toString('base64url')]
      const userCode = await addUserCode(states, id)
      const times = { endsAt: inSeconds(deviceLifetime).getTime(), interval: deviceInterval, polledAt: 0 }
      const data: Stored = { ...request, ...times, userCode, secretHash: hashOf(secret) }
      await states.add(kinds.device, id, data, inSeconds(approvalLifetime))
      return { deviceCode: `${id}.${secret}`, userCode }
    },
    findByDeviceCode: async (code) => {
      const [id = '', secret = ''] = code.split('.')
      const row = await find(id)
      return row !== undefined && isSame(row.facts.secretHash, hashOf(secret)) ? row : undefined
    },
    findByUserCode: async (userCode) => {
      const data = (await states.read(kinds.user, userCode))?.data
      const id = isPlainObject(data) ? data['id'] : undefined
      const row = typeof id === 'string' ? await find(id) : undefined
      return row !== undefined && row.state === 'new' && row.facts.endsAt > Date.now() ? row : undefined
    },
    change: (row, from, to, facts = {}) => states.change(kinds.device, row.id, from, to, { ...row.facts, ...facts }),
    marks: ({ facts }, userId) => approvalMarks(states, userId, facts.clientId),
    stands: async ({ id }) => (await find(id))?.state === 'used'
  }
}

/** A code that no other request has. */
async function addUserCode(states: StateStore, id: string): Promise<string> {
  const userCode = newUserCode()
  const isAdded = await states.add(kinds.user, userCode, { id }, inSeconds(deviceLifetime))
  return isAdded ? userCode : addUserCode(states, id)
}

/** A new code for users: 34 bits, in two groups of four. */
export function newUserCode(): string {
  const code = Array.from({ length }, () => letters[randomInt(letters.length)]).join('')
  return showUserCode(code)
}

/**
 * Normalizes an entered code; undefined if it cannot be one. Users type lower case, spaces and dashes, which keyboards may
 * replace by longer ones: everything but letters and digits is removed.
 * @see RFC 8628 section 6.1
 */
export function readUserCode(text: string | undefined): string | undefined {
  const code = (text ?? '').toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  return code.length === length && Array.from(code).every((letter) => letters.includes(letter))
    ? showUserCode(code)
    : undefined
}

const kind = 'device-end'

/** Names what ends for a user: what one client was allowed, or everything. */
const keyOf = (userId: unknown, clientId?: string): string => JSON.stringify([String(userId), clientId ?? null])

async function markOf(states: StateStore, key: string): Promise<string | null> {
  const data = (await states.read(kind, key))?.data
  return isPlainObject(data) && typeof data['mark'] === 'string' ? data['mark'] : null
}

/** Changes once approvals of the user, or those for the client, are revoked: a mark for each. */
type ApprovalMarks = readonly [ofUser: string | null, ofClient: string | null]

/** The marks at present: an approval is stored with them. */
function approvalMarks(states: StateStore, userId: unknown, clientId: string): Promise<ApprovalMarks> {
  return Promise.all([markOf(states, keyOf(userId)), markOf(states, keyOf(userId, clientId))])
}

/** False once an approval was ended. A mark that is gone has outlived every approval that it could end. */
async function stillApproved(
  states: StateStore,
  { userId, clientId, marks = [null, null] }: { userId?: unknown; clientId: string; marks?: ApprovalMarks | undefined }
): Promise<boolean> {
  const now = await approvalMarks(states, userId, clientId)
  return now.every((mark, at) => mark === null || mark === marks[at])
}

/**
 * Revokes what users have allowed devices: for one client, or all.
 * @param lifetime seconds that approvals live at most
 */
export async function endApprovals(
  states: StateStore,
  userIds: readonly unknown[],
  lifetime: number,
  clientId?: string
): Promise<void> {
  const end = async (userId: unknown): Promise<void> => {
    const key = keyOf(userId, clientId)
    await states.remove(kind, key)
    await states.add(kind, key, { mark: randomUUID() }, new Date(Date.now() + lifetime * 1000))
  }
  await Promise.all(userIds.map(end))
}
