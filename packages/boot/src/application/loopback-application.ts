import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { AppFolder, FolderSource } from '../app-folder.ts'
import { type BootReport, formatReport } from '../boot-report.ts'
import { beginBuilding, type Building } from '../building.ts'
import { isFunction } from '../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../errors.ts'
import { type BootOptions, checkOptions } from '../options.ts'
import { type PreparedApplication, prepareApplication } from '../prepare-application.ts'
import type { ConfigInstructions } from '../read-application.ts'
import type { BootScriptSources } from '../scripts/run-boot-scripts.ts'
import type { ScriptApp } from '../scripts/app/script-app.ts'
import { defineApplication, type Defined } from './define-application.ts'
import { createDraft, type Draft } from './draft.ts'
import { finishApplication } from './finish-application.ts'
import { listenArguments, type WantedAddress } from './listen-arguments.ts'
import { type Settling, withResolvers } from './with-resolvers.ts'

/** Who makes the server of an application, and starts it. */
export interface ServerHost {
  /** Takes what is logged before there is a server. */
  readonly log: FastifyBaseLogger
  /** Makes the server of a folder that was read, or gives the one that the application is registered in. Called once. */
  readonly open: (prepared: PreparedApplication, application: LoopBackApplication) => FastifyInstance
  /** Waits until the server answers; completes it where nobody else does. */
  readonly complete: (application: LoopBackApplication) => Promise<void>
  /** Hears that a script called `app.listen`. */
  readonly listen: (application: LoopBackApplication) => void
  /** True where somebody waits for the application: scripts do not start its server. */
  readonly isHeld: boolean
}

/** What `boot(app, options)` may say. */
export interface BootInstructions
  extends BootScriptSources, ConfigInstructions, Partial<Pick<BootOptions, 'dir' | 'env'>> {}

type Parameters = Readonly<Record<string, unknown>>

interface Built {
  readonly building: Building
  readonly defined: Defined
  readonly ended: Promise<void>
}

/** An application from `loopback()` until it answers. */
export class LoopBackApplication {
  readonly options: BootOptions
  readonly #host: ServerHost
  readonly #source: FolderSource | undefined
  readonly #draft: Draft
  readonly #components: (readonly [name: string, params: Parameters])[] = []
  #built: Built | undefined
  #finished: Promise<BootReport> | undefined
  /** Where `app.listen()` was told to listen; undefined as long as it was not called. */
  wantedAddress: WantedAddress | undefined
  /** What it could not boot with. */
  failure: unknown
  /** A script of the folder starts it. */
  hasServerScript = false
  /** Settled once it boots. */
  readonly begun: Promise<void>
  readonly #begin: Settling

  /** Nothing of the folder is read yet. @throws {AppFolderInvalid} there is no such folder @throws {InvalidOption} an option is malformed */
  constructor(options: BootOptions, host: ServerHost, source?: FolderSource) {
    checkOptions(options)
    this.options = options
    this.#host = host
    this.#source = source
    this.#begin = withResolvers()
    this.begun = this.#begin.promise
    this.#draft = createDraft(options, {
      log: host.log,
      listen: (args) => this.#listen(args),
      wantedAddress: () => this.wantedAddress,
      handle: (request, response, next) => void this.#handle(request, response, next)
    })
  }

  /** What scripts are given. */
  get app(): ScriptApp {
    return this.#draft.app
  }

  /** Somebody else starts its server, and hears of errors. */
  get isHeld(): boolean {
    return this.#host.isHeld
  }

  get folder(): AppFolder {
    return this.#draft.folder
  }

  /** What scripts may require of what extensions provide. */
  get modules(): ReadonlyMap<string, unknown> {
    return this.#draft.context.modules
  }

  /** Sets up a component that a script asks for, as if it stood in `component-config.json`. */
  addComponent(name: string, params: Parameters): void {
    this.#components.push([name, params])
  }

  /** It cannot boot: those who wait for it hear why. */
  fail(error: unknown): void {
    this.failure = error
    this.#begin.reject(error)
  }

  /** True once its folder was read. */
  get boots(): boolean {
    return this.#built !== undefined
  }

  /**
   * Reads the folder and defines what is in it. What scripts wait for ends later, as `booted()`.
   * @throws {DefinitionError} one of its kinds says what is wrong with the application
   */
  boot(instructions: BootInstructions = {}): void {
    if (this.boots) throw new ScriptArgumentInvalid('boot was called twice for one application')
    this.#built = this.#build(instructions)
  }

  /** Waits for the boot scripts and the data sources. */
  async booted(): Promise<void> {
    await this.#whole().ended
  }

  /** Mounts everything into the server, once. */
  finish(): Promise<BootReport> {
    return (this.#finished ??= this.#finish())
  }

  /** What was read of its folder. */
  get prepared(): PreparedApplication {
    return this.#whole().building
  }

  /** The server that it is built into; it boots where it has none yet. */
  get server(): FastifyInstance {
    return this.#draft.server ?? this.#whole().building.server
  }

  /** Closes the data sources of an application that cannot start. */
  async abandon(): Promise<void> {
    const { server, hasRegistry, registry } = this.#draft
    // A server that has the models closes them itself.
    if (hasRegistry() && server?.hasDecorator('models') !== true) await registry().disconnect()
  }

  /** LB3: an application that code makes wholly by itself reads no file. */
  #whole(): Built {
    return (this.#built ??= this.#build({ isUnread: true }))
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
    // Nobody may be waiting for it yet: what it rejects with is told to whoever asks.
    void Promise.allSettled([ended])
    this.#begin.resolve()
    return { building, defined, ended }
  }

  async #finish(): Promise<BootReport> {
    const { building, defined, ended } = this.#whole()
    await ended
    const report = await finishApplication(building, defined, this.#components)
    building.server.log.info(formatReport(report))
    return report
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
      this.server.routing(request, response)
    } catch (error) {
      this.#host.log.error(error, 'the application did not start')
      if (isFunction(next)) next(error)
      else response.writeHead(500).end()
    }
  }
}

/** Scripts find the address when they hear that the server listens. @see LoopBack 3: lib/application.js, listen */
function noteAddress({ server }: FastifyInstance, app: ScriptApp): void {
  server.once('listening', () => {
    const address = server.address()
    if (typeof address !== 'object' || address === null) return
    app.set('port', address.port)
    if (!app.get('host')) app.set('host', address.address)
    // Scripts find it with a slash at its end.
    if (!app.get('url')) app.set('url', `http://${hostIn(address)}:${address.port}/`)
  })
}

/** LB3: all addresses of a machine are called by the one that can be opened there. */
function hostIn({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost'
  return family === 'IPv6' ? `[${address}]` : address
}

async function endOf({ scripts }: Defined, { context }: Building, app: ScriptApp): Promise<void> {
  await scripts
  await context.registry.connect()
  app.emit('booted')
}
