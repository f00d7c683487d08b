// What applications need before they know whether they serve OAuth: it loads neither the endpoints nor what they need.
export { installModels } from './models/install-models.ts'
export { oauth2Models } from './models/definitions.ts'
export { OAuth2OptionsSchema } from './options.ts'
