/** Algorithms that this server signs with: only asymmetric ones, so that verifiers cannot sign. */
export const signingAlgorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'] as const
/** One of {@link signingAlgorithms}. */
export type SigningAlgorithm = (typeof signingAlgorithms)[number]
