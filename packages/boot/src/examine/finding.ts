import { join } from 'node:path'
import type { DefinitionError } from '@modelwire/core'
import { readTextFile } from '../config/read-text-file.ts'
import type { Effect } from '../boot-report.ts'
import { lineOfMember, splitKey } from '../config/find-json-key.ts'
import { ConfigFileInvalid } from '../errors.ts'
import { adviceFor } from './advice.ts'

/** Something that an examination found. */
export interface Finding {
  readonly effect: Effect
  /** Relative to the application's folder, or a whole path outside of it. */
  readonly file: string
  /** Counted from 1; absent where no line can be named. */
  readonly line?: number | undefined
  /** Keys joined by dots. */
  readonly key?: string | undefined
  /** The code of the error that the application would not start with. */
  readonly code?: string | undefined
  readonly reason: string
  /** What to do about it. */
  readonly advice?: string | undefined
}

/** The message of an error without the place that stands behind it. */
function reasonOf({ message, where: { file, model, key } }: DefinitionError): string {
  const place = [file, model && `model ${model}`, key && `key ${key}`].filter(Boolean).join(', ')
  return message.endsWith(` (${place})`) ? message.slice(0, -place.length - 3) : message
}

/** What an error means that the application would not start with. */
export function findingOf(error: DefinitionError, file: string): Finding {
  const { code, where } = error
  const line = error instanceof ConfigFileInvalid ? error.line : undefined
  return { effect: 'fails', file, key: where.key, line, code, reason: reasonOf(error), advice: adviceFor(code) }
}

/** Findings with the lines that their keys stand at, each once, in the order of files and lines. */
export async function placeFindings(root: string, findings: readonly Finding[]): Promise<readonly Finding[]> {
  const files = [...new Set(findings.map(({ file }) => file))].filter((file) => file.endsWith('.json'))
  const texts = new Map(await Promise.all(files.map(async (file) => [file, await readText(join(root, file))] as const)))
  const placed = findings.map((finding) => withLine(finding, texts.get(finding.file) ?? ''))
  const unique = new Map(placed.map((finding) => [identityOf(finding), finding]))
  return [...unique.values()].filter((finding) => !isCoveredByFailure(finding, placed)).toSorted(byPlace)
}

const identityOf = ({ file, line, key, reason }: Finding): string => JSON.stringify([file, line ?? key, reason])

/** A file that was named but is not there has no lines. */
async function readText(path: string): Promise<string> {
  try {
    return readTextFile(path)
  } catch {
    return ''
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
