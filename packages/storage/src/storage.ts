import { resolve } from 'node:path'
import { InvalidOption } from '@modelwire/server'
import type { Client, ClientOptions } from 'minio'
import { FileStore } from './stores/file-store.ts'
import { S3Store } from './stores/s3-store.ts'
import { defaultProvider, defaultRegion, readSettings, type StorageSettings } from './settings.ts'
import { StorageConnector } from './storage-connector.ts'
import type { Store } from './stores/store.ts'

const amazonEndpoint = 's3.amazonaws.com'

/** @throws {InvalidOption} it is not a URL */
function endpointOf({ endpoint = amazonEndpoint }: StorageSettings): URL {
  const written = /^\w+:\/\//.test(endpoint) ? endpoint : `https://${endpoint}`
  if (/^https?:/i.test(written) && URL.canParse(written)) return new URL(written)
  throw new InvalidOption('endpoint must be a URL or a host', { key: 'endpoint' })
}

/** Options of the client. @throws {InvalidOption} a setting is missing or malformed */
function clientOptions(settings: StorageSettings): ClientOptions {
  const { keyId, accessKeyId, key, accessKey, sessionToken, endpoint, region } = settings
  const [id, secret] = [keyId ?? accessKeyId, key ?? accessKey]
  if (id === undefined || secret === undefined)
    throw new InvalidOption('the provider amazon requires keyId and key, or a client', { key: 'keyId' })
  const { hostname, port, protocol } = endpointOf(settings)
  return {
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey: id,
    secretKey: secret,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(region !== undefined && { region }),
    pathStyle: settings.forcePathBucket ?? endpoint !== undefined
  }
}

/** The client is loaded where there is a store for it. */
function clientMaker(settings: StorageSettings): () => Promise<Client> {
  const { client } = settings
  if (client !== undefined) return async () => client
  const options = clientOptions(settings)
  return async () => new (await import('minio')).Client(options)
}

function makeStore(settings: StorageSettings): Store {
  const { provider = defaultProvider, root, region = defaultRegion } = settings
  if (provider === 'amazon') return new S3Store(clientMaker(settings), region)
  if (root !== undefined) return new FileStore(resolve(root))
  throw new InvalidOption('the provider filesystem requires a root: the folder of the containers', { key: 'root' })
}

/**
 * Makes a connector of files: models attached to its data source have containers and files, in folders below `root` or in
 * an S3-compatible store.
 * @throws {InvalidOption} a setting is missing or has the wrong type
 * @see LoopBack 3: loopback-component-storage
 */
export function storage(settings: Readonly<Record<string, unknown>> & Partial<StorageSettings>): StorageConnector {
  const parsed = readSettings(settings)
  return new StorageConnector(makeStore(parsed), parsed)
}
