import type { WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import { openIdOptions } from './options/openid-options.ts'
import { pageOptions } from './options/page-options.ts'
import { resourceOptions } from './options/resource-options.ts'
import { serverOptions } from './options/server-options.ts'

/** Options of the plugin `oauth2`. Those of loopback-component-oauth2 keep their names. */
export const OAuth2OptionsSchema = Type.Object(
  { ...serverOptions, ...pageOptions, ...openIdOptions, ...resourceOptions },
  { additionalProperties: false }
)
export type OAuth2Options = Static<typeof OAuth2OptionsSchema>

/** The options with their defaults. */
export type OAuth2Settings = WithDefaults<typeof OAuth2OptionsSchema>
