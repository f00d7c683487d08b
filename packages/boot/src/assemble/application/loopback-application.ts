import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AppFolder, FolderSource } from '../../read/files/app-folder.ts'
import { type BootReport, formatNote, formatReport } from '../../boot-report.ts'
import { beginBuilding, type Building } from './building.ts'
import { forward, isFunction, ScriptArgumentInvalid } from '@modelwire/loopback/express'
import { type BootOptions, type BootSettings, readOptions } from '../../options.ts'
import { prepareApplication, type PreparedApplication } from '../../read/prepare-application.ts'
import type { ConfigInstructions } from '../../read/read-application.ts'
import type { BootScriptSources } from './run-boot-scripts.ts'
import { listenArguments, type ScriptApp, type WantedAddress } from '@modelwire/loopback/api'
import { defineApplication, type Defined } from './define-application.ts'
import { createDraft, type Draft } from './draft.ts'
import { finishApplication } from './finish-application.ts'
import { type Settling, withResolvers } from '../../with-resolvers.ts'

/** Creates the server of an application, and starts it. */
export interface ServerHost {
  /** Receives log entries before the server exists. */
  readonly log: FastifyBaseLogger
  /** Creates the server of a folder that was read, or returns the one in which the application is registered. Called once. */
  readonly open: (prepared: PreparedApplication, application: LoopBackApplication) => FastifyInstance
  /** Waits until the server accepts requests; completes it if nothing else does. */
  readonly complete: (application: LoopBackApplication) => Promise<void>
  /** Called when a script calls `app.listen`. */
  readonly listen: (application: LoopBackApplication) => void
  /** True if a caller waits for the application, so that scripts do not start its server. */
  readonly isHeld: boolean
}

/** The options of `boot(app, options)`. */
export interface BootInstructions
  extends BootScriptSources, ConfigInstructions, Partial<Pick<BootOptions, 'dir' | 'env'>> {}

interface Built {
  readonly building: Building
  readonly defined: Defined
  readonly ended: Promise<void>
}

/** An application, from `loopback()` until it serves requests. */
export class LoopBackApplication {
  readonly options: BootSettings
  readonly #host: ServerHost
  readonly #source: FolderSource | undefined
  readonly #draft: Draft
  #built: Built | undefined
  /** The arguments of `boot`; undefined for an application that is not booted. */
  #bootedWith: string | undefined
  /** The address of `app.listen()`; undefined until it is called. */
  wantedAddress: WantedAddress | undefined
  /** The error that kept it from booting. */
  failure: unknown
  /** True if a script of the folder starts it. */
  hasServerScript = false
  /** Resolves when booting begins. */
  readonly begun: Promise<void>
  readonly #begin: Settling

  /**
   * Creates the application; nothing of the folder is read yet.
   * @throws {AppFolderInvalid} there is no such folder @throws {InvalidOption} an option is malformed
   */
  constructor(options: BootOptions, host: ServerHost, source?: FolderSource) {
    this.options = readOptions(options)
    this.#host = host
    this.#source = source
    this.#begin = withResolvers()
    this.begun = this.#begin.promise
    this.#draft = createDraft(this.options, {
      log: host.log,
      listen: (args) => this.#listen(args),
      wantedAddress: () => this.wantedAddress,
      handle: (request, response, next) => void this.#handle(request, response, next)
    })
  }

  /** The application object for scripts. */
  get app(): ScriptApp {
    return this.#draft.app
  }

  /** True if another caller starts its server, and receives its errors. */
  get isHeld(): boolean {
    return this.#host.isHeld
  }

  get folder(): AppFolder {
    return this.#draft.folder
  }

  /** The modules that extensions provide for scripts to require. */
  get modules(): ReadonlyMap<string, unknown> {
    return this.#draft.context.modules
  }

  /** Fails the boot: those who wait for it receive the error. */
  fail(error: unknown): void {
    this.failure = error
    this.#begin.reject(error)
  }

  /** True once its folder has been read. */
  get boots(): boolean {
    return this.#built !== undefined
  }

  /**
   * Reads the folder and defines its contents. Asynchronous work of scripts finishes later, see `booted()`. A second call
   * with equal arguments has no effect.
   * @throws {DefinitionError} the application is invalid; the subclass names the reason
   */
  boot(instructions: BootInstructions = {}): void {
    this.#refuseAfterFailure()
    const key = keyOf(instructions)
    if (this.#built === undefined) {
      this.#built = this.#build(instructions)
      this.#bootedWith = key
    } else if (this.#bootedWith === undefined)
      throw new ScriptArgumentInvalid('boot was called after the application was started: call it before app.listen')
    else if (this.#bootedWith !== key)
      throw new ScriptArgumentInvalid(
        'boot was called twice with different folders or options: pass all of them in one call, with modelSources, bootDirs and so on'
      )
  }

  /** Waits for the boot scripts and the data sources. */
  async booted(): Promise<void> {
    await this.#whole().ended
  }

  /** Mounts everything into the server, once. */
  async finish(): Promise<BootReport> {
    const { building, defined, ended } = this.#whole()
    await ended
    const report = await finishApplication(building, defined)
    for (const line of formatReport(report).split('\n')) building.server.log.info(line)
    for (const note of report.notes) if (note.missingPackage !== undefined) building.server.log.warn(formatNote(note))
    return report
  }

  /** The contents of its folder. */
  get prepared(): PreparedApplication {
    return this.#whole().building
  }

  /** The server that it is built into; boots the application if there is none yet. */
  get server(): FastifyInstance {
    return this.#draft.server ?? this.#whole().building.server
  }

  /**
   * Closes the data sources of an application that cannot start. Scripts that are still waiting for one may end the process
   * with the resulting error, so the cause is logged first.
   */
  async abandon(cause: unknown): Promise<void> {
    const { server, hasRegistry, registry } = this.#draft
    if (!hasRegistry()) return
    const isUsed = [...registry().dataSources.values()].some(({ connection }) => connection.state !== 'closed')
    if (isUsed) this.#host.log.error({ err: cause }, 'closing the data sources: the application cannot start')
    // A server that has the models closes them itself.
    if (server?.hasDecorator('models') !== true) await registry().disconnect()
  }

  /** Rethrows the first failure, whatever its type. */
  #refuseAfterFailure(): void {
    if (this.failure !== undefined) throw asError(this.failure)
  }

  /** Builds an application that is not booted from what its scripts define: its folder is not read. */
  #whole(): Built {
    this.#refuseAfterFailure()
    return (this.#built ??= this.#build({ isPlain: true }))
  }

  #build({ dir = this.options.dir, env = this.options.env, ...sources }: BootInstructions): Built {
    const { settings, collection, app } = this.#draft
    const options = { ...this.options, dir, ...(env === undefined ? {} : { env }) }
    const prepared = prepareApplication(options, { settings, collection, source: this.#source, instructions: sources })
    const server = this.#host.open(prepared, this)
    noteAddress(server, app)
    const building = beginBuilding(this.#draft, prepared, server)
    const defined = defineApplication(building, sources)
    const ended = endOf(defined, building, app)
    // There may be no caller waiting yet: a rejection is reported later.
    void Promise.allSettled([ended])
    this.#begin.resolve()
    return { building, defined, ended }
  }

  #listen(args: readonly unknown[]): Server {
    const { server } = this.server
    this.wantedAddress = listenArguments(args)
    const { callback } = this.wantedAddress
    if (callback !== undefined) server.once('listening', callback)
    this.#host.listen(this)
    return server
  }

  async #handle(request: IncomingMessage, response: ServerResponse, next: unknown): Promise<void> {
    try {
      await this.#host.complete(this)
      const { server } = this
      forward(request, next, () => server.routing(request, response))
    } catch (error) {
      this.#host.log.error(error, 'the application did not start')
      if (isFunction(next)) next(error)
      else response.writeHead(500).end()
    }
  }
}

/** Scripts find the address once the server listens. @see LoopBack 3: lib/application.js, listen */
function noteAddress({ server }: FastifyInstance, app: ScriptApp): void {
  server.once('listening', () => {
    const address = server.address()
    if (typeof address !== 'object' || address === null) return
    app.set('port', address.port)
    const host = app.get('host') ?? undefined
    if (host === undefined) app.set('host', address.address)
    // It is for the browser of who starts it.
    const isEvery = host === undefined || host === '0.0.0.0' || host === '::'
    if (!app.get('url')) app.set('url', `http://${isEvery ? 'localhost' : String(host)}:${address.port}/`)
  })
}

/** What a script throws need not be an error. */
const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown })

/** Equal for calls of `boot` with equal arguments. */
const keyOf = ({ dir, ...others }: BootInstructions): string =>
  JSON.stringify([dir === undefined ? '' : resolve(dir), others])

async function endOf({ scripts }: Defined, { context }: Building, app: ScriptApp): Promise<void> {
  await scripts
  await context.registry.connect()
  app.emit('booted')
}
