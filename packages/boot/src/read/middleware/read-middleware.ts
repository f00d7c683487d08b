import { isPlainObject } from '@modelwire/server'
import { resolve } from 'node:path'
import type { AppFolder } from '../files/app-folder.ts'
import { expandConfig, type FindVariable } from '../config/expand-variables.ts'
import { type MergeConfig, mergeConfig } from '../config/merge-config.ts'
import type { AddNote } from '../../boot-report.ts'
import type { Config } from '../config/read-config.ts'
import { ConfigValueInvalid } from '../../errors.ts'
import { type MiddlewareEntry, orderPhases, phaseRank } from '@modelwire/loopback/express'

/**
 * Merges middleware files: entries of the same middleware with the same `name`, or without one, are merged; others are
 * added.
 * @see LoopBack 3: loopback-boot, lib/config-loader.js
 */
export const mergeMiddleware: MergeConfig = (base, over, file) => {
  const merged = { ...base }
  for (const [phase, entries] of Object.entries(over)) {
    const existing = base[phase]
    merged[phase] = isPlainObject(existing) && isPlainObject(entries) ? mergePhase(existing, entries, file) : entries
  }
  return merged
}

function mergePhase(
  base: Record<string, unknown>,
  over: Record<string, unknown>,
  file: string
): Record<string, unknown> {
  const merged = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = [base[name] ?? []].flat()
    const items = [value].flat().reduce<unknown[]>((list, item) => mergeItem(list, item, file), before)
    merged[name] = items.length === 1 ? items[0] : items
  }
  return merged
}

function mergeItem(list: readonly unknown[], item: unknown, file: string): unknown[] {
  const index = list.findIndex((other) => nameIn(other) === nameIn(item))
  const existing = list[index]
  if (!isPlainObject(existing) || !isPlainObject(item)) return [...list, item]
  return list.with(index, mergeConfig(existing, item, file))
}

function nameIn(item: unknown): unknown {
  return isPlainObject(item) ? item['name'] : undefined
}

/** The context for reading middleware entries, besides the files. */
export interface MiddlewareReading {
  readonly folder: AppFolder
  readonly findVariable: FindVariable
  readonly add: AddNote
}

/**
 * The middleware of an application, in the order in which requests pass it.
 * @throws {PhasesOutOfOrder} phases contradict each other
 * @throws {ConfigValueInvalid} an entry is malformed
 */
export function readMiddleware(config: Config, reading: MiddlewareReading): MiddlewareEntry[] {
  const ordered = orderPhases(Object.keys(config.value), config.fileOf)
  const entries = Object.entries(config.value).flatMap(([phase, value]) => readPhase(phase, value, config, reading))
  return entries.toSorted((one, other) => phaseRank(one.phase, ordered) - phaseRank(other.phase, ordered))
}

function readPhase(phase: string, value: unknown, config: Config, reading: MiddlewareReading): MiddlewareEntry[] {
  const file = config.fileOf(phase)
  if (!isPlainObject(value)) throw new ConfigValueInvalid('a phase must be an object', { file, key: phase })
  return Object.entries(value).flatMap(([name, items]) => {
    const place = { file, key: `${phase}.${name}` }
    return [items].flat().flatMap((item) => readEntry(phase, name, item, place, reading))
  })
}

function readEntry(
  phase: string,
  name: string,
  item: unknown,
  place: { file: string; key: string },
  reading: MiddlewareReading
): MiddlewareEntry[] {
  if (!isPlainObject(item)) throw new ConfigValueInvalid('a middleware must be an object or a list of objects', place)
  if (item['enabled'] === false) return []
  const expanded = expandConfig(item, reading, place) as Record<string, unknown> // an object stays one
  const { paths, methods, optional } = expanded
  // LoopBack calls the middleware with each item of a list.
  const [params, ...moreParams] = [resolvePaths(expanded['params'], reading.folder)].flat()
  return [
    {
      name,
      phase,
      params,
      moreParams,
      paths: texts(paths),
      methods: texts(methods),
      optional: Boolean(optional),
      ...place
    }
  ]
}

function texts(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === 'string')
}

/** `$!../client` is a path relative to the file. */
function resolvePaths(value: unknown, folder: AppFolder): unknown {
  if (typeof value === 'string') return value.startsWith('$!') ? resolve(folder.serverDir, value.slice(2)) : value
  if (Array.isArray(value)) return value.map((item) => resolvePaths(item, folder))
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolvePaths(member, folder)]))
}
