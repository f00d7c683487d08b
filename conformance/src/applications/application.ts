import { readFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** How accounts are made and signed in. */
export interface Credentials {
  /** The model that is signed up and logged in; the first with a `login` method unless named. */
  readonly model?: string
  /** Properties that sign-up needs beside e-mail, user name and password. */
  readonly account?: Readonly<Record<string, unknown>>
  /** The property that `login` takes beside the password: `email` unless it says `username`. */
  readonly loginBy?: 'email' | 'username'
  /** `boot`: accounts are made by a boot script that both sides get, since sign-up is closed or sends mail. */
  readonly seed?: 'api' | 'boot'
  /** Roles that the owner gets when it signs up or is seeded: those that the rules of the application name, unless it says others. */
  readonly ownerRoles?: readonly string[]
  /** Headers of each persona, for applications with accounts of another kind. */
  readonly headers?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Values by the name of a model and of its property. */
export type ValuesByModel = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** A published application that both frameworks start, as `apps.json` lists it. */
export interface Application {
  readonly name: string
  /** Checkout with installed dependencies; nothing is written here. */
  readonly dir: string
  /** `NODE_ENV`. */
  readonly env: string
  /** Started by LoopBack, below `dir`. */
  readonly main: string
  readonly environment: Readonly<Record<string, string>>
  readonly credentials: Credentials
  /** Shell command that empties the databases of one side; it gets `SIDE` and `RUN_DIR`. */
  readonly reset?: string
  /** Operations that are not called, as names or the beginning of names, each with the reason. */
  readonly skip: Readonly<Record<string, string>>
  /** Values of properties that only some texts fit, by model and name. */
  readonly values?: ValuesByModel
  /** Properties that each side gives a value by chance. */
  readonly random?: readonly string[]
  /** Where requests go when the description of LoopBack does not say so. */
  readonly apiRoot?: string
  readonly notes?: string
}

type Listed = Partial<Application> & Pick<Application, 'name' | 'dir'>

/** The applications of an `apps.json`; those whose name contains `only`. */
export async function readApplications(file: string, only = ''): Promise<readonly Application[]> {
  const listed = JSON.parse(await readFile(file, 'utf8')) as readonly Listed[] // Written by hand; a mistake shows at the start.
  const folder = dirname(resolve(file))
  return listed
    .filter(({ name }) => name.toLowerCase().includes(only.toLowerCase()))
    .map((one) => ({
      env: 'development',
      main: 'server/server.js',
      environment: {},
      credentials: {},
      skip: {},
      ...one,
      dir: resolve(folder, one.dir)
    }))
}

/** A folder beside an application's own that is for `purpose` and for this application alone. */
export const folderBeside = ({ dir }: Pick<Application, 'dir'>, purpose: string): string =>
  join(dirname(dir), purpose, basename(dir))

/** Folder of one run of one side. */
export const runFolder = (application: Pick<Application, 'dir'>, side: Side): string =>
  join(folderBeside(application, 'run'), side)

/** A framework that starts an application. */
export type Side = 'loopback' | 'modelwire'

/** Both. */
export const sides: readonly Side[] = ['loopback', 'modelwire']
