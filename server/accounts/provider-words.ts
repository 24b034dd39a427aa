/** The words of the pages about signing in with a provider, in English. */
export const providerWords = {
  down: {
    title: (label: string) => `${label} cannot be reached`,
    text: (label: string) => `${label} does not answer at the moment. Try again later, or sign in another way.`,
  },
  refused: {
    title: "You are not signed in",
    lost: "The sign-in took longer than ten minutes, or your browser kept no cookie for it. Allow cookies for this site, and start again.",
    denied: (label: string) => `${label} says that you stopped the sign-in. Start again, or sign in another way.`,
    wrong: (label: string) => `The answer of ${label} could not be verified. Start again, or sign in another way.`,
    inactive: "This account is closed. Ask the administrator of your team.",
  },
  again: "Sign in",
  unknown: {
    title: (label: string) => `${label} is not linked to an account here`,
    text: (who: string, label: string) => `You are signed in at ${label} as ${who}. Choose how to go on.`,
    passwordTitle: "You have an account here",
    passwordText: (label: string) => `Sign in once with your password. From then on ${label} lets you in.`,
    passwordAction: "Sign in and link",
    invitationTitle: "You have an invitation",
    invitationText: (label: string) => `Open the link in its mail, and continue with ${label} there.`,
    newTitle: "You are new here",
    newText: "Choose a name. A mail with a link confirms your address, then the account is yours.",
    newAction: "Send the link",
    noMail: "This server sends no mail, so it cannot confirm your address. Ask the administrator of your team.",
    closed: "New accounts come by invitation. Ask the administrator of your team for one.",
  },
  create: {
    title: "Create your account",
    text: (email: string, who: string, label: string) => `For ${email}. You will sign in with ${label} as ${who}.`,
    action: "Create the account",
  },
  link: {
    title: (label: string) => `Link ${label}`,
    text: (who: string, label: string, name: string) =>
      `${who} at ${label} will be able to sign in to the account “${name}”.`,
    action: "Link it",
    taken: "It is linked to another account here. Sign in to that one first, and remove it there.",
  },
  sent: { title: "Look into your mail", text: "A mail with a link is on its way. The link works for a day." },
  confirm: {
    title: "Confirm your address",
    text: (email: string, username: string, label: string) =>
      `The account “${username}” with the address ${email} will be created. ${label} signs in to it.`,
    action: "Create the account",
  },
};
