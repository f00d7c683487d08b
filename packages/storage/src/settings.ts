import { InvalidOption } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Client } from 'minio'
import { isSet, UploadSettingsSchema } from './upload-settings.ts'

/** The provider where the settings name none. */
export const defaultProvider = 'filesystem'
/** The region where the settings name none. */
export const defaultRegion = 'us-east-1'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** Settings of the storage connector. Others are ignored, so that LoopBack's `datasources.json` can be used as it is. */
export const StorageSettingsSchema = Type.Object({
  provider: Type.Optional(
    Type.Union([Type.Literal('filesystem'), Type.Literal('amazon')], {
      default: defaultProvider,
      description: 'where the files are: in folders, or in a store that speaks S3'
    })
  ),
  root: text('`filesystem`: the folder that holds the containers, relative to the working directory'),
  keyId: text('`amazon`: id of the access key; also `accessKeyId`'),
  accessKeyId: text('`amazon`: the same as `keyId`'),
  key: text('`amazon`: secret of the access key; also `accessKey`'),
  accessKey: text('`amazon`: the same as `key`'),
  sessionToken: text('`amazon`: token of temporary credentials'),
  region: Type.Optional(
    Type.String({ minLength: 1, default: defaultRegion, description: '`amazon`: region of the buckets' })
  ),
  endpoint: text('`amazon`: address of another store, such as `http://localhost:9000`; https unless it says otherwise'),
  forcePathBucket: Type.Optional(
    Type.Boolean({ description: '`amazon`: the bucket is part of the path; the default where there is an `endpoint`' })
  ),
  client: Type.Optional(Type.Unsafe<Client>(Type.Object({}, { description: '`amazon`: a client of `minio` to use' }))),
  inlineTypes: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'media types that browsers may show; other files are saved. Pictures but SVG, sounds, films, plain text and PDF when absent'
    })
  ),
  ...UploadSettingsSchema.properties
})
/** Settings of the storage connector. */
export type StorageSettings = Static<typeof StorageSettingsSchema>

const names = Object.keys(StorageSettingsSchema.properties)

/**
 * Takes the connector's own settings from those of a data source.
 * @throws {InvalidOption} a setting has the wrong type, or there is no such provider
 */
export function readSettings(settings: Readonly<Record<string, unknown>>): StorageSettings {
  const present = Object.fromEntries(
    names.map((name) => [name, settings[name]] as const).filter(([, value]) => isSet(value))
  )
  const { provider } = present
  if (provider !== undefined && provider !== 'filesystem' && provider !== 'amazon')
    throw new InvalidOption(`there is no storage provider "${String(provider)}": there are filesystem and amazon`, {
      key: 'provider'
    })
  if (Value.Check(StorageSettingsSchema, present)) return present
  const key = Value.Errors(StorageSettingsSchema, present).First()?.path.slice(1) ?? ''
  throw new InvalidOption(`the setting "${key}" of the storage has the wrong type`, { key })
}
