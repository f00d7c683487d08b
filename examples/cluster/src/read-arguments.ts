import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The command line cannot be understood. */
export class InvalidArguments extends Error {
  readonly code = 'ARGUMENTS_INVALID'
}

/** What a command line says. */
export interface Arguments {
  readonly port: number
  readonly folder: string
  /** Nobody named the folder: it goes when the cluster ends. */
  readonly isTemporary: boolean
  readonly numbers: Readonly<Record<string, number>>
  readonly texts: Readonly<Record<string, string | undefined>>
}

const texts = ['port', 'folder', 'json'] as const
const ownFolder = (): string => mkdtempSync(join(tmpdir(), 'modelwire-cluster-'))

function numberOf(name: string, text: string | undefined, fallback: number): number {
  const value = text === undefined ? fallback : Number(text)
  if (!(value > 0)) throw new InvalidArguments(`--${name} must be a number above 0, not "${text}"`)
  return value
}

/** Reads a command line. @param numbers further options, with their defaults @throws {InvalidArguments} */
export function readArguments(args: readonly string[], numbers: Readonly<Record<string, number>> = {}): Arguments {
  const names = [...texts, ...Object.keys(numbers)]
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]))
  let values: Readonly<Record<string, string | undefined>>
  try {
    values = parseArgs({ args: [...args], options }).values
  } catch (cause) {
    throw new InvalidArguments(cause instanceof Error ? cause.message : String(cause), { cause })
  }
  const { port, folder, ...others } = values
  const read = Object.entries(numbers).map(
    ([name, fallback]) => [name, numberOf(name, others[name], fallback)] as const
  )
  return {
    port: numberOf('port', port, 7800),
    folder: folder === undefined ? ownFolder() : resolve(folder),
    isTemporary: folder === undefined,
    numbers: Object.fromEntries(read),
    texts: { json: others['json'] }
  }
}
