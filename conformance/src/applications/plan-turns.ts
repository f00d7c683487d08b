import { type Persona, personas } from './accounts.ts'
import type { Description, Operation } from './description.ts'
import type { Variant } from './make-arguments.ts'
import type { Material } from './make-record.ts'
import { makeVariants } from './make-variants.ts'
import { nameOf, stageOf, targetOf } from './operation-name.ts'

/** A request that may be sent, when its turn comes. */
export interface Turn {
  readonly operation: Operation
  readonly persona: Persona
  readonly variant: Variant
}

/** What one persona may send in one stage. */
export interface Group {
  readonly stage: string
  readonly persona: Persona
  readonly operations: readonly Operation[]
}

const stages = ['read', 'write', 'read again', 'destroy', 'read after'] as const

/** Related records go first, then those of models, then passwords and what ends sessions, and accounts last. */
function lateness(description: Description, operation: Operation): number {
  const name = nameOf(operation)
  if (name.verb === 'logout' || /accesstoken$/i.test(targetOf(description, name) ?? '')) return 3
  if (/password/i.test(name.verb)) return 2
  if (!/^(?:delete|destroy)/.test(name.verb)) return 0
  return description.models[name.model]?.isUser === true ? 4 : 1
}

/**
 * Who sends which operation, in the order in which they are sent: reads, writes, then what destroys; after writes the owner looks
 * at what came of them. Those with the fewest rights come first.
 */
export function planTurns(operations: readonly Operation[], description: Description): readonly Group[] {
  const late = (operation: Operation): number => lateness(description, operation)
  return stages.flatMap((stage) => {
    const isRead = stage.startsWith('read')
    const sorted = operations
      .filter((operation) => stageOf(operation) === (isRead ? 'read' : stage))
      .toSorted((one, other) => late(one) - late(other))
    const callers = isRead && stage !== 'read' ? personas.slice(-1) : personas
    return callers.map((persona) => ({ stage, persona, operations: sorted }))
  })
}

/** The turns of a group, with filters that fit the records of now. Only the owner asks with filters and conditions. */
export function turnsOf({ operations, persona }: Group, material: Material): readonly Turn[] {
  return operations.flatMap((operation) => {
    const variants = makeVariants(operation, material)
    return (persona === 'owner' ? variants : variants.slice(0, 1)).map((variant) => ({ operation, persona, variant }))
  })
}

/** Of the whole room, for each of those who are not the owner. */
const shareOfOthers = 0.15

/** How many turns of each group there is room for; what one persona does not need goes to the owner. */
export function shareRoom(groups: readonly Group[], room: number, material: Material): readonly number[] {
  const counted = groups.map((group) => ({ persona: group.persona, turns: turnsOf(group, material).length }))
  const count = (persona: Persona): number =>
    counted.filter((one) => one.persona === persona).reduce((sum, { turns }) => sum + turns, 0)
  const share = (persona: Persona): number => Math.min(count(persona), Math.floor(room * shareOfOthers))
  const [anonymous, stranger] = [share('anonymous'), share('stranger')]
  const rooms = { anonymous, stranger, owner: room - anonymous - stranger }
  return counted.map(({ persona, turns }) => Math.ceil((rooms[persona] * turns) / Math.max(1, count(persona))))
}
