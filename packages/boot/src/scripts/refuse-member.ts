import { MemberNotProvided } from '../errors.ts'

/** Members by name, each with what to use in its place. */
export type Replacements = Readonly<Record<string, string>>

/** The error of a member of LoopBack's objects that is not there. */
export function memberError(member: string, replacement: string): MemberNotProvided {
  return new MemberNotProvided(`${member} is not there: ${replacement}`, { key: member })
}

/** A function that stands for a member that is not there: its call is refused. */
export function refusedMember(member: string, replacement: string): () => never {
  return () => {
    throw memberError(member, replacement)
  }
}

/** Functions that refuse to be called, by name. Scripts may put their own in their places. */
export function refusedMembers(owner: string, members: Replacements): Readonly<Record<string, () => never>> {
  const refused = Object.entries(members).map(([name, replacement]) => {
    return [name, refusedMember(`${owner}.${name}`, replacement)] as const
  })
  return Object.fromEntries(refused)
}

/** Members that may be read of a missing class: listing or printing members reads them. */
const harmless = new Set<PropertyKey>(['name', 'length', 'prototype', 'toString', 'then', 'inspect'])

/** A class that stands for one that is not there: it can be looked at, and every use of it is refused. */
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
