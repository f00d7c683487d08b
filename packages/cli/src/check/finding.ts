import { join } from 'node:path'
import type { DefinitionError } from '@modelwire/core'
import { readTextFile, lineOfMember, splitKey } from '@modelwire/boot/check'
import {
  type Effect,
  ConfigFileInvalid,
  type Note,
  type NoteLevel,
  formatNote,
  type ServerOptions
} from '@modelwire/boot'
import { isPlainObject } from '@modelwire/server'

/** A finding of an examination. */
export interface Finding {
  readonly effect: Effect
  /** Relative to the application's folder, or an absolute path outside of it. */
  readonly file: string
  /** Starts at 1; absent if no line can be determined. */
  readonly line?: number | undefined
  /** Keys joined by dots. */
  readonly key?: string | undefined
  /** The code of the error that would prevent startup. */
  readonly code?: string | undefined
  readonly reason: string
  /** What to do about it. */
  readonly advice?: string | undefined
}

/** What to do about the errors that an application would not start with, by their codes. */
const advices: ReadonlyMap<string, string> = new Map([
  [
    'CONFIG_FILE_INVALID',
    'correct the file: JSON has no comments and no trailing commas, and requires double quotes; other errors appear once this one is fixed'
  ],
  ['CONFIG_MERGE_CONFLICT', 'use a value of the same type in both files'],
  ['CONFIG_VALUE_INVALID', 'set the key to an allowed value, as the reason says, or remove it'],
  ['OPTION_INVALID', 'correct the option: docs/options.md lists the options of all packages'],
  ['BASE_MODEL_CYCLE', 'make one of the models extend PersistedModel'],
  ['BASE_MODEL_UNKNOWN', "correct the name, or add the model's file to a folder in _meta.sources"],
  ['MODEL_UNKNOWN', "add the model's file to a folder in _meta.sources, or remove the entry"],
  ['DATA_SOURCE_UNKNOWN', 'correct the name, add the data source to datasources.json, or use null for none'],
  ['MIXIN_UNKNOWN', 'correct the name, or add its script to a folder in _meta.mixins'],
  ['MIDDLEWARE_UNKNOWN', 'npm install the package, correct the name, or disable it with "enabled": false'],
  ['MIDDLEWARE_REMOVED', 'npm install the package that it came from and name that package'],
  ['MIDDLEWARE_PHASES_OUT_OF_ORDER', 'put the phases in the order initial, session, auth, parse, routes, files, final'],
  ['COMPONENT_UNKNOWN', 'npm install the package, correct the name, or set it to null to omit it'],
  ['MODEL_DEFINITION_INVALID', 'use a value that LoopBack knows'],
  ['MODEL_NAME_RESERVED', 'rename the model and set plural to keep its path'],
  ['MODEL_DEFINED_TWICE', 'rename one of the two'],
  [
    'PROPERTY_TYPE_UNKNOWN',
    'correct the type: string, number, boolean, date, object, array, buffer, geopoint, any or a model'
  ],
  ['PROPERTY_NAME_HAS_DOT', 'rename the property: filters read a dot as a path'],
  ['RELATION_INVALID', 'correct the relation'],
  ['RELATION_TARGET_MISSING', 'correct the name, or define the model and name it in model-config.json']
])

/** The message of an error without the place that stands behind it. */
function reasonOf({ message, where: { file, model, key } }: DefinitionError): string {
  const place = [file, model && `model ${model}`, key && `key ${key}`].filter(Boolean).join(', ')
  return message.endsWith(` (${place})`) ? message.slice(0, -place.length - 3) : message
}

/** Converts an error that would prevent startup to a finding. */
export function findingOf(error: DefinitionError, file: string): Finding {
  const { code, where } = error
  const line = error instanceof ConfigFileInvalid ? error.line : undefined
  return { effect: 'fails', file, key: where.key, line, code, reason: reasonOf(error), advice: adviceFor(code) }
}

/** Findings with the lines of their keys, without duplicates, sorted by file and line. */
export function placeFindings(root: string, findings: readonly Finding[]): readonly Finding[] {
  const files = [...new Set(findings.map(({ file }) => file))].filter((file) => file.endsWith('.json'))
  const texts = new Map(files.map((file) => [file, textOf(join(root, file)) ?? ''] as const))
  const placed = findings.map((finding) => withLine(finding, texts.get(finding.file) ?? ''))
  const unique = new Map(placed.map((finding) => [identityOf(finding), finding]))
  return [...unique.values()].filter((finding) => !isCoveredByFailure(finding, placed)).toSorted(byPlace)
}

const identityOf = ({ file, line, key, reason }: Finding): string => JSON.stringify([file, line ?? key, reason])

/** The text of a file; undefined if it is not a regular file, such as a pipe, or cannot be read. */
export function textOf(path: string): string | undefined {
  try {
    return readTextFile(path)
  } catch {
    return undefined
  }
}

function withLine(finding: Finding, text: string): Finding {
  const { key, line } = finding
  if (line !== undefined || key === undefined || text === '') return finding
  return { ...finding, line: lineOf(text, key) }
}

function lineOf(text: string, key: string): number | undefined {
  try {
    return lineOfMember(text, splitKey(JSON.parse(text), key))
  } catch {
    // Malformed: that is reported by a finding of its own.
    return undefined
  }
}

/** A remark about a part that does not run at all. */
function isCoveredByFailure({ effect, file, key }: Finding, all: readonly Finding[]): boolean {
  if (effect !== 'info' || key === undefined) return false
  return all.some(
    (other) => other.effect === 'fails' && other.file === file && `${other.key ?? ''}.`.startsWith(`${key}.`)
  )
}

function byPlace(one: Finding, other: Finding): number {
  if (one.file === other.file) return (one.line ?? 0) - (other.line ?? 0)
  return one.file < other.file ? -1 : 1
}

/** What to do about an error with this code. */
function adviceFor(code: string): string {
  return advices.get(code) ?? `look up ${code} in the list of errors`
}

const effects: Readonly<Record<NoteLevel, Effect>> = { ignored: 'fails', differs: 'differs', info: 'info' }

/** Converts a note of the startup report to a finding. */
export function findingOfNote({ file, key, level, reason, advice, effect }: Note): Finding {
  // Notes about scripts name lines in place of a key.
  const line = /^line (\d+)$/.exec(key ?? '')?.[1] ?? (key === undefined ? /: line (\d+)/.exec(reason)?.[1] : undefined)
  const place = line === undefined ? { key } : { line: Number(line) }
  return { effect: effect ?? effects[level], file, ...place, reason: withoutPlace(reason), advice }
}

/** Messages of errors end with their place, which stands beside them here. */
function withoutPlace(reason: string): string {
  return reason.replace(/ \(model [^()]*\)$/, '')
}

/** The log of an examined startup, with its warnings. */
interface StartWarnings {
  readonly logger: NonNullable<ServerOptions['logger']>
  /** The warnings as findings about the server's folder, without those that are also in the startup report. */
  readonly findings: (folder: string, notes: readonly Note[]) => readonly Finding[]
}

/** As pino writes it. */
const warning = 40

/** Makes a log that collects warnings instead of writing them. */
export function collectWarnings(): StartWarnings {
  const texts = new Set<string>()
  const write = (line: string): void => {
    const entry: unknown = JSON.parse(line) // a line of the log is JSON
    if (!isPlainObject(entry) || entry['level'] !== warning) return
    // What is said of a data source is said of the memory that stands in its place.
    if (!('dataSource' in entry)) texts.add(String(entry['msg']))
  }
  return {
    logger: { level: 'warn', stream: { write } },
    findings: (folder, notes) => {
      for (const note of notes) texts.delete(formatNote(note))
      return Array.from(texts, (reason) => ({ effect: 'info', file: folder, reason }))
    }
  }
}
