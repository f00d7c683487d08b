import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { isPlainObject } from '@modelwire/core/plugin'
import type { StateStore } from '../seams.ts'
import { type ApprovalMarks, approvalMarks, stillApproved } from './end-approvals.ts'
import { newUserCode } from './user-code.ts'

/** The request of a device, and its state. */
export interface DeviceFacts {
  readonly clientId: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly userCode: string
  /** Milliseconds, when the codes end. */
  readonly endsAt: number
  /** Seconds between two questions of the device. */
  readonly interval: number
  /** Milliseconds, of the last question. */
  readonly polledAt: number
  /** Who allowed it, and when that user logged in, in milliseconds. */
  readonly userId?: unknown
  readonly authTime?: number
  /** Of that approval. */
  readonly marks?: ApprovalMarks
}

/** What became of a request: pending, allowed, denied, used, or used a second time. */
export type DeviceState = 'new' | 'allowed' | 'denied' | 'used' | 'stolen'

/** A request of a device. */
export interface DeviceRow {
  readonly id: string
  readonly state: string
  readonly facts: DeviceFacts
}

/** The codes of devices. */
export interface DeviceCodes {
  /** Starts a request: a code for the device, a code for people. */
  start(
    request: Pick<DeviceFacts, 'clientId' | 'scopes' | 'resources'>
  ): Promise<{ deviceCode: string; userCode: string }>
  /** By the code of the device; also for a while after it has ended. */
  findByDeviceCode(code: string): Promise<DeviceRow | undefined>
  /** By the code for people, as long as it can be answered. */
  findByUserCode(userCode: string): Promise<DeviceRow | undefined>
  /** Changes a request that is in state `from`; true for one of all who try. */
  change(row: DeviceRow, from: DeviceState, to: DeviceState, facts?: Partial<DeviceFacts>): Promise<boolean>
  /** What the answer of a user who allows a request is stored with. */
  marks(row: DeviceRow, userId: unknown): Promise<ApprovalMarks>
  /** False once the code was used again, or what the user allowed was taken back. */
  stands(row: DeviceRow): Promise<boolean>
}

/** Seconds that the codes live. */
export const deviceLifetime = 600
/** Seconds that a device waits between two questions. @see RFC 8628 section 3.2 */
export const deviceInterval = 5

// A device that polls late learns that its code has expired, not that there was none.
const memory = 600
/** Seconds that an approval may become tokens, or end those that it is becoming. */
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

/** Makes the codes of devices. A row is found by its id, which both codes lead to; the secret of the device is a hash. */
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
