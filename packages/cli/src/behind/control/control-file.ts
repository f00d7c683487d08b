import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { CommandError } from '../../errors.ts'
import { makeOwnFolder } from '../routes/state-file.ts'

const AccessSchema = Type.Object({ url: Type.String(), token: Type.String() })

/** The address of a running control API, and the token that it requires. */
export type ControlAccess = Static<typeof AccessSchema>

/** Generates an unguessable token. */
export const makeToken = (): string => randomBytes(32).toString('base64url')

/** Saves the access for `modelwire handover`; only this user may read the file. */
export async function writeControlFile(file: string, access: ControlAccess): Promise<void> {
  await makeOwnFolder(dirname(file))
  await rm(file, { force: true })
  await writeFile(file, `${JSON.stringify(access)}\n`, { mode: 0o600 })
}

/** Removes the file of a control API that has ended, unless another one has overwritten it meanwhile. */
export async function removeControlFile(file: string, { token }: ControlAccess): Promise<void> {
  try {
    const access = await readControlFile(file)
    if (access.token === token) await rm(file, { force: true })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
  }
}

/** @throws {CommandError} NO_CONTROL: no server with `--behind` runs in this folder */
export async function readControlFile(file: string): Promise<ControlAccess> {
  try {
    const access: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (Value.Check(AccessSchema, access)) return access
  } catch (cause) {
    throw noControl(file, cause)
  }
  throw noControl(file)
}

const noControl = (file: string, cause?: unknown): CommandError =>
  new CommandError(
    'NO_CONTROL',
    `${file} does not name a running server: start modelwire serve --behind, or give --url`,
    1,
    {
      cause
    }
  )
