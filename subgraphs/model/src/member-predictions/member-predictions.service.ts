/** What is predicted about one member; a prediction that is made gets its type with it. */
export interface MemberPredictions {
  readonly expectedNextOrderOn: null;
  readonly nextOrder: null;
  readonly emailClickPropensity: null;
  readonly unavailableBecause: 'MODEL_NOT_BUILT';
}

/**
 * What is predicted about a member: nothing yet, and it says so.
 *
 * @remarks Source: v2 REST API, section 2, GET /members/{id}/profile; requirements L-PRO-01, L-PRO-06
 */
export const predictionsOf = (): MemberPredictions => ({
  expectedNextOrderOn: null,
  nextOrder: null,
  emailClickPropensity: null,
  unavailableBecause: 'MODEL_NOT_BUILT',
});
