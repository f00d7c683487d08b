import { acceptCallback, isFunction } from './callback-bridge.ts'
import { MemberNotProvided } from './errors.ts'

/** Implements a member: called with the object that it is used on, and the arguments of the script. */
type Call<Self, Result> = (self: Self, ...args: never[]) => Result

/**
 * A member of an object of LoopBack's: its name, its kind, and its implementation.
 * - `method`: a function.
 * - `chain`: a function that returns the object it was called on.
 * - `promise`: a function that takes a callback as its last argument, or returns a bluebird promise.
 * - `getter`: evaluated on each read; without `write` it cannot be set.
 * - `replaceable`: evaluated on each read, until a script replaces it by its own value.
 * - `value`: fixed, until a script sets another one.
 * - `refused`: a function that throws, naming its replacement. Scripts may replace it.
 */
export type MemberRow<Self> =
  | readonly [name: string, kind: 'method' | 'chain', call: Call<Self, unknown>]
  | readonly [name: string, kind: 'promise', call: Call<Self, Promise<unknown>>]
  | readonly [name: string, kind: 'getter', read: Call<Self, unknown>, write?: Write<Self>]
  | readonly [name: string, kind: 'replaceable', read: Call<Self, unknown>]
  | readonly [name: string, kind: 'value', value: Value]
  | readonly [name: string, kind: 'refused', advice: string]

type Write<Self> = (self: Self, value: unknown) => void

// Anything: `unknown` would hide from functions in a table what they are called with.
type Value = {} | null | undefined

/** Where members are installed. */
export interface MemberPlace {
  /** The name of the object in scripts, for messages about refused members. */
  readonly owner?: string
  /** Members are enumerable. */
  readonly isListed?: boolean
  /** Own members of the object are kept. */
  readonly keepsOwn?: boolean
}

/**
 * Defines members on an object: the one way in which objects of scripts get theirs.
 * @throws {TypeError} two rows have the same name, or the object has a member of the name that cannot be defined anew
 */
export function installMembers<Self, Target extends object = object>(
  target: Target,
  rows: readonly MemberRow<Self>[],
  { owner = '', isListed = false, keepsOwn = false }: MemberPlace = {}
): Target {
  const names = new Set<string>()
  for (const row of rows) {
    const [name] = row
    if (names.has(name)) throw new TypeError(`two rows for ${owner}.${name}`)
    names.add(name)
    if (keepsOwn && Object.hasOwn(target, name)) continue
    Object.defineProperty(target, name, { ...descriptorOf(row, owner), enumerable: isListed, configurable: true })
  }
  return target
}

function descriptorOf<Self>(row: MemberRow<Self>, owner: string): PropertyDescriptor & ThisType<Self> {
  const [name, kind] = row
  if (kind === 'getter') return accessor(row[2], row[3])
  if (kind === 'replaceable') return accessor(row[2], (self, value) => setOwnMember(self, name, value))
  const value = valueOf(row, owner)
  // Traces and inspections show it, as they do for members of LoopBack.
  if (kind !== 'value') Object.defineProperty(value, 'name', { value: name, configurable: true })
  return { value, writable: true }
}

function accessor<Self>(read: Call<Self, unknown>, write?: Write<Self>): PropertyDescriptor & ThisType<Self> {
  const set = write && {
    set(this: Self, value: unknown): void {
      write(this, value)
    }
  }
  return {
    get(this: Self): unknown {
      return read(this)
    },
    ...set
  }
}

type ValueRow<Self> = Exclude<MemberRow<Self>, readonly [string, 'getter' | 'replaceable', ...unknown[]]>

function valueOf<Self>(row: ValueRow<Self>, owner: string): Value {
  if (row[1] === 'value') return row[2]
  if (row[1] === 'refused') return refusedMember(`${owner}.${row[0]}`, row[2])
  if (row[1] === 'promise') {
    const asked = openCall(row[2])
    return acceptCallback(function (this: Self, ...args) {
      return asked(this, args)
    })
  }
  const call = openCall(row[2])
  const isChain = row[1] === 'chain'
  return function (this: Self, ...args: unknown[]): unknown {
    const result = call(this, args)
    return isChain ? this : result
  }
}

function openCall<Self, Result>(call: Call<Self, Result>): (self: Self, args: readonly unknown[]) => Result {
  return (self, args) => call(self, ...(args as never[])) // scripts pass anything: each member checks its own
}

/** Rows of one kind that only differ in their names. */
export function rowsFor<Self, Name extends string = string>(
  names: Iterable<Name>,
  rowOf: (name: Name) => MemberRow<Self>
): readonly MemberRow<Self>[] {
  return Array.from(names, rowOf)
}

/** Replaces a member by a value, as a script's assignment does. */
export function setOwnMember(target: unknown, name: string, value: unknown, enumerable = true): void {
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable })
}

/** Lets scripts replace a read-only member by their own. */
export function makeReplaceable(target: object): void {
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(target))) {
    if (member.get === undefined || member.set !== undefined || member.configurable !== true) continue
    const set = function (this: object, value: unknown): void {
      setOwnMember(this, name, value)
    }
    Object.defineProperty(target, name, { ...member, set })
  }
}

/** An object with the members of others, keeping getters. */
export function withMembers<Target extends object, Members extends object>(
  target: Target,
  members: Members
): Target & Members {
  Object.defineProperties(target, Object.getOwnPropertyDescriptors(members))
  return target as Target & Members // they were just defined
}

/** A member of any value passed by a script; undefined if it has none. */
export function memberOf(value: unknown, name: PropertyKey): unknown {
  const object: unknown = Object(value)
  return Reflect.get(object as object, name) // objects are made of anything
}

/** Calls a member that a script may have replaced; undefined if it is not a function. */
export function callMember(self: unknown, name: string, args: readonly unknown[]): unknown {
  const member = memberOf(self, name)
  return isFunction(member) ? member.apply(self, [...args]) : undefined
}

/** Members of any value passed by a script, to be read one by one. */
export type Facts = Readonly<Record<string, unknown>>

/** The members of an object; empty for anything else. */
export function factsOf(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? (value as Facts) : {} // read key by key
}

/** Members by name, each with its replacement. */
export type Replacements = Readonly<Record<string, string>>

/** The error for a member of LoopBack's objects that is not provided. */
export function memberError(member: string, replacement: string): MemberNotProvided {
  return new MemberNotProvided(`${member} is not provided: ${replacement}`, { key: member })
}

/** A placeholder function for a member that is not provided: it throws when called. */
export function refusedMember(member: string, replacement: string): () => never {
  return () => {
    throw memberError(member, replacement)
  }
}

/** Placeholder functions that throw when called, by name. Scripts may replace them. */
export function refusedMembers(owner: string, members: Replacements): Readonly<Record<string, () => never>> {
  const refused = Object.entries(members).map(([name, replacement]) => {
    return [name, refusedMember(`${owner}.${name}`, replacement)] as const
  })
  return Object.fromEntries(refused)
}

/** Members that may be read of a missing class: listing or printing members reads them. */
const harmless = new Set<PropertyKey>(['name', 'length', 'prototype', 'toString', 'then', 'inspect'])

/** A placeholder for a class that is not provided: it can be inspected, but every use throws. */
export function refusedClass(member: string, replacement: string): object {
  const refuse = refusedMember(member, replacement)
  const name = member.slice(member.lastIndexOf('.') + 1)
  const target = Object.defineProperty(function () {}, 'name', { value: name })
  return new Proxy(target, {
    apply: refuse,
    construct: refuse,
    set: refuse,
    defineProperty: refuse,
    get: (_target, key, receiver): unknown =>
      typeof key === 'symbol' || harmless.has(key) ? Reflect.get(target, key, receiver) : refuse()
  })
}
