import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { problemOf } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CommandError } from '../../errors.ts'

const RouteStateSchema = Type.Object({
  owner: Type.Union([Type.Literal('old'), Type.Literal('new')]),
  since: Type.String(),
  cause: Type.String(),
  held: Type.Boolean()
})

const StateSchema = Type.Object({ version: Type.Literal(1), routes: Type.Record(Type.String(), RouteStateSchema) })

/** The saved state of one route. */
export type RouteState = Static<typeof RouteStateSchema>

/** Routes whose state differs from the initial one, by name. */
export type SavedState = Readonly<Record<string, RouteState>>

const wrong = (file: string, why: string): CommandError => new CommandError('STATE_UNREADABLE', `${file}: ${why}`, 1)

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ENOENT') return undefined
    throw wrong(file, `cannot be read: ${String(error)}`)
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(file, 'is not valid JSON; remove it to start with all routes on the old server')
  }
}

/**
 * Reads a state file; empty if it does not exist.
 * @throws {CommandError} STATE_UNREADABLE: it cannot be read, or was not written by this command
 */
export async function readState(file: string): Promise<SavedState> {
  const text = await textOf(file)
  if (text === undefined) return {}
  const state = parse(file, text)
  if (Value.Check(StateSchema, state)) return state.routes
  const { key = '', expected = 'malformed' } = problemOf(StateSchema, state) ?? {}
  throw wrong(file, key === '' ? expected : `${key}: ${expected}`)
}

/** Writes a state file atomically. */
export async function writeState(file: string, routes: SavedState): Promise<void> {
  const fresh = `${file}.${process.pid}.tmp`
  await makeOwnFolder(dirname(file))
  const handle = await open(fresh, 'w', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ version: 1, routes }, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}

/** Creates a folder. One called `.modelwire` is local to this machine, and excluded from git. */
export async function makeOwnFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  if (made !== undefined && folder.endsWith('.modelwire')) await writeFile(join(folder, '.gitignore'), '*\n')
}
