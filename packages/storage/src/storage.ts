import { resolve } from 'node:path'
import { InvalidOption } from '@modelwire/core'
import { Client } from 'minio'
import { FileStore } from './file-store.ts'
import { S3Store } from './s3-store.ts'
import { readSettings, type StorageSettings } from './settings.ts'
import { StorageConnector } from './storage-connector.ts'
import type { Store } from './store.ts'

const amazonEndpoint = 's3.amazonaws.com'
const defaultRegion = 'us-east-1'

/** @throws {InvalidOption} it is no address */
function endpointOf({ endpoint = amazonEndpoint }: StorageSettings): URL {
  const written = /^\w+:\/\//.test(endpoint) ? endpoint : `https://${endpoint}`
  if (/^https?:/i.test(written) && URL.canParse(written)) return new URL(written)
  throw new InvalidOption('the endpoint of the storage is no address', { key: 'endpoint' })
}

function makeClient(settings: StorageSettings): Client {
  const { keyId, accessKeyId, key, accessKey, sessionToken, endpoint, region } = settings
  const [id, secret] = [keyId ?? accessKeyId, key ?? accessKey]
  if (id === undefined || secret === undefined)
    throw new InvalidOption('the provider amazon needs keyId and key, or a client', { key: 'keyId' })
  const { hostname, port, protocol } = endpointOf(settings)
  return new Client({
    endPoint: hostname,
    ...(port !== '' && { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey: id,
    secretKey: secret,
    ...(sessionToken !== undefined && { sessionToken }),
    ...(region !== undefined && { region }),
    pathStyle: settings.forcePathBucket ?? endpoint !== undefined
  })
}

function makeStore(settings: StorageSettings): Store {
  const { provider = 'filesystem', root, client, region = defaultRegion } = settings
  if (provider === 'amazon') return new S3Store(client ?? makeClient(settings), region)
  if (root !== undefined) return new FileStore(resolve(root))
  throw new InvalidOption('the provider filesystem needs a root: the folder of the containers', { key: 'root' })
}

/**
 * A connector of files: models that are attached to its data source have containers and files, in folders below `root` or in a
 * store that speaks S3.
 * @throws {InvalidOption} a setting is missing or has the wrong type
 * @see LoopBack 3: loopback-component-storage
 */
export function storage(settings: Readonly<Record<string, unknown>> & Partial<StorageSettings>): StorageConnector {
  const said = readSettings(settings)
  return new StorageConnector(makeStore(said), { ...settings, ...said })
}
