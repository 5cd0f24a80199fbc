/**
 * The operations that pages may run, by the name that their script sends. They select no more than a page
 * shows. A session that a link opens does not reach the script; a member's is kept in a cookie.
 */
export const actions: Readonly<Record<string, string>> = {
  'enrollment-page': `query EnrollmentPage($token: String!) {
    answer: enrollmentPage(token: $token) { workspaceName fields { name isRequired } consents }
  }`,
  enrol: `mutation Enrol($token: String!, $email: String!, $fullName: String, $phone: String, $birthOn: Date,
      $locale: String, $referralCode: String, $consents: [String!]) {
    answer: enrol(token: $token, input: { email: $email, fullName: $fullName, phone: $phone,
      birthOn: $birthOn, locale: $locale, referralCode: $referralCode, consents: $consents }) { accepted }
  }`,
  'confirm-enrollment': `mutation ConfirmEnrollment($token: String!) {
    answer: confirmEnrollment(token: $token)
  }`,
  'confirm-email': 'mutation ConfirmEmail($token: String!) { answer: confirmEmail(token: $token) }',
  'reset-password': `mutation ResetPassword($token: String!, $newPassword: String!) {
    answer: resetPassword(input: { token: $token, newPassword: $newPassword })
  }`,
  'invitation-page': `query InvitationPage($token: String!) {
    answer: invitationPage(token: $token) { workspaceName hasAccount }
  }`,
  invitation: `mutation AcceptInvitation($token: String!, $name: String, $password: String!) {
    answer: acceptInvitation(input: { token: $token, name: $name, password: $password }) { expiresAt }
  }`,
  'sign-in': `mutation SignIn($token: String!) {
    answer: completeMemberSignInByToken(token: $token) { token expiresAt }
  }`,
  unsubscribe: 'mutation UnsubscribeByToken($token: String!) { answer: unsubscribeByToken(token: $token) }',
  'preferences-page': `query PreferencesPage($token: String!) {
    answer: preferences(token: $token) { workspaceName isUnsubscribed consents { purpose isGranted } }
  }`,
  preferences: `mutation SetPreferences($token: String!, $consents: [PreferenceInput!]!) {
    answer: setPreferencesByToken(token: $token, input: { consents: $consents }) {
      workspaceName isUnsubscribed consents { purpose isGranted }
    }
  }`,
};
