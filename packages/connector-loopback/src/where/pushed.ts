import type { Comparison } from '@modelwire/core/connector'

/** A LoopBack `where`. */
export type Where = Readonly<Record<string, unknown>>

/**
 * The part of a condition that is sent to a connector. It finds all records that match, and with `isExact` no others;
 * what else it finds is for the caller to leave out.
 */
export type Pushed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'all'; readonly isExact: boolean }
  | { readonly kind: 'some'; readonly where: Where; readonly isExact: boolean }

/** Translates one test for a family of connectors. */
export type PushTest = (test: Comparison) => Pushed

/** Every record. */
export const everything: Pushed = { kind: 'all', isExact: true }
/** Every record, of which some match. */
export const unsaid: Pushed = { kind: 'all', isExact: false }
/** No record. */
export const nothing: Pushed = { kind: 'nothing' }
/** The records of a `where`. */
export const exactly = (where: Where): Pushed => ({ kind: 'some', where, isExact: true })
