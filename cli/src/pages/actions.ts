/**
 * The operations that pages may run, by the name that their script sends. They select no more than a page
 * shows: no session that a link opens reaches the browser.
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
  invitation: `mutation AcceptInvitation($token: String!, $name: String, $password: String!) {
    answer: acceptInvitation(input: { token: $token, name: $name, password: $password }) { expiresAt }
  }`,
  unsubscribe: 'mutation UnsubscribeByToken($token: String!) { answer: unsubscribeByToken(token: $token) }',
};
