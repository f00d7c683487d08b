import { networkInterfaces } from 'node:os'
import type { FastifyInstance } from 'fastify'
import type { WantedAddress } from '@modelwire/loopback/api'

/** Where a server listens. */
export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** A Unix socket, used instead of the address. */
  readonly path?: string
}

type Variables = Readonly<Record<string, string | undefined>>

const hostVariables = ['npm_config_host', 'OPENSHIFT_SLS_IP', 'OPENSHIFT_NODEJS_IP', 'HOST', 'VCAP_APP_HOST']
const portVariables = ['npm_config_port', 'OPENSHIFT_SLS_PORT', 'OPENSHIFT_NODEJS_PORT', 'PORT', 'VCAP_APP_PORT']

const isPresent = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

const isPort = (value: unknown): boolean => isPresent(value) && Number.isFinite(Number(value))

/**
 * The settings `host` and `port` of an application that boots: variables of the environment, then `config.json`, then what scripts set
 * before, then port 3000.
 * @see LoopBack 3: loopback-boot, lib/plugins/application.js, setHost and setPort
 */
export function addressSettings(
  config: Readonly<Record<string, unknown>>,
  variables: Variables,
  before: (name: string) => unknown
): Readonly<Record<string, unknown>> {
  const valuesOf = (names: readonly string[]): unknown[] => names.map((name) => variables[name])
  const host = [...valuesOf(hostVariables), config['host'], variables['npm_package_config_host'], before('host')]
  const port = [...valuesOf(portVariables), config['port'], variables['npm_package_config_port'], before('port'), 3000]
  const found = { host: host.find(isPresent), port: port.find(isPort) }
  return found.host === undefined ? { port: found.port } : found
}

/** Node's own default: every address, of version 6 where the machine has it. */
function everyAddress(): string {
  const addresses = Object.values(networkInterfaces()).flat()
  return addresses.some((address) => address?.family === 'IPv6') ? '::' : '0.0.0.0'
}

/**
 * Where an application listens: at the address of `app.listen`, else by its settings `host` and `port`, as in LoopBack.
 * Without a host it listens on all addresses, without a port on any free one.
 */
export function listenOptions({ loopback }: Pick<FastifyInstance, 'loopback'>): ListenOptions {
  const own: WantedAddress = loopback.wantedAddress ?? { usesSettings: true }
  const { path } = own
  const [host, port] = own.usesSettings ? [loopback.get('host'), loopback.get('port')] : [own.host, own.port]
  const address = { host: isPresent(host) ? String(host) : everyAddress(), port: isPort(port) ? Number(port) : 0 }
  return path === undefined ? address : { ...address, path }
}
