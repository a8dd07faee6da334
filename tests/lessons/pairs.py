"""Rules that are alike: forty pairs of our own, and a thousand others to find them among."""

from itertools import product

PARAPHRASES = [
    ("Read the document again before you save it.", "Before saving, read the doc once more."),
    ("Ask the customer for the order number first.", "First ask clients for their order number."),
    (
        "Run the whole test suite before you push a branch.",
        "Never push a branch before the whole test suite has run.",
    ),
    ("Quote prices in euros, with VAT included.", "Prices are quoted with VAT, in euros."),
    (
        "Confirm the recipient before sending an email.",
        "Verify who the recipient is before any mail is sent.",
    ),
    (
        "Keep commit messages under one line in the imperative.",
        "Write a commit message in the imperative, on one line.",
    ),
    (
        "Store secrets in the vault, not in the repository.",
        "Secrets belong in the vault and never in the repo.",
    ),
    (
        "Cite the page of the contract for every clause you mention.",
        "Every clause you mention needs the contract page cited.",
    ),
    (
        "Show the migration plan to the database owner.",
        "The owner of the db must be shown the migration plan.",
    ),
    ("Answer in the language in which the question was asked.", "Reply in the language of the question."),
    ("Round invoice totals only at the very end.", "Invoice totals are rounded at the end only."),
    (
        "Escalate chargebacks to the fraud desk within the hour.",
        "Within an hour, chargebacks are escalated to the fraud desk.",
    ),
    ("Use the staging environment for load experiments.", "Load experiments run in the staging env."),
    (
        "Translate idioms by meaning rather than word by word.",
        "Idioms are translated by their meaning, not each word.",
    ),
    (
        "Check the allergy list before suggesting a recipe.",
        "Suggest recipes only after checking the allergy list.",
    ),
    ("Link the incident ticket in every postmortem.", "Each postmortem links its incident ticket."),
]
NEGATIONS = [
    ("Always use tabs in makefiles.", "Never use tabs in makefiles."),
    ("Do force-push to shared branches.", "Do not force-push to shared branches."),
    (
        "Include the customer's phone number in the summary.",
        "Don't include the customer's phone number in the summary.",
    ),
    ("You must restart the worker after a deploy.", "You must not restart the worker after a deploy."),
    ("Ship parcels with a signature slip.", "Ship parcels without a signature slip."),
    ("Approve all refunds above the limit.", "Approve no refunds above the limit."),
    ("Agents can merge their own pull requests.", "Agents can't merge their own pull requests."),
    ("The nightly backup is safe to skip.", "The nightly backup is unsafe to skip."),
    ("Wait for the reviewer's answer.", "Never wait for the reviewer\u2019s answer."),
    ("Mention competitors by name.", "Avoid mention competitors by name."),
]
NUMBERS = [
    ("Wait 500 milliseconds between two calls.", "Wait 5000 milliseconds between two calls."),
    ("Refund orders that are up to 14 days old.", "Refund orders that are up to 30 days old."),
    ("Retry a failed upload three times.", "Retry a failed upload five times."),
    ("Use v1 of the billing interface.", "Use v2 of the billing interface."),
    ("Keep answers below 1,200 words.", "Keep answers below 120 words."),
    ("Call the supplier at 9:30 every Monday.", "Call the supplier at 10:30 every Monday."),
    ("Allow uploads up to 10MB.", "Allow uploads up to 25MB."),
    ("Ship two samples with each crate.", "Ship 12 samples with each crate."),
]
LOOK_ALIKES = [
    ("Ask for consent before recording the meeting.", "Ask for consent after recording the meeting."),
    ("Greet guests by their first name.", "Greet guests by their last name."),
    ("Sort the log with the newest entry on top.", "Sort the log with the oldest entry on top."),
    ("Send the draft to the author.", "Send the draft to the editor."),
    ("Lock the account when a login fails.", "Unlock the account when a login succeeds."),
    ("Export the table as a spreadsheet.", "Import the table from a spreadsheet."),
]

_WHO = (
    "the warehouse",
    "a tenant",
    "the night shift",
    "each vendor",
    "the help desk",
    "a pupil",
    "the archive",
    "our partner",
)
_DOES = (
    "Count the pallets of",
    "Print the labels for",
    "Archive the letters from",
    "Update the calendar of",
    "Compare the invoices of",
    "Collect the keys from",
    "Review the photos from",
    "Forward the parcels of",
    "Translate the notes of",
    "Measure the shelves of",
    "Photograph the meters of",
    "Schedule the visits to",
    "Scan the receipts of",
)
_WHEN = (
    "at the start of a season",
    "once the lorry has left",
    "while the gate is shut",
    "whenever stock is low",
    "on the eve of a holiday",
    "if the scanner is down",
    "as soon as it rains",
    "at the end of a quarter",
    "during an audit",
    "when the lift is out of order",
)
FILLER = [f"{does} {who} {when}." for does, who, when in product(_DOES, _WHO, _WHEN)][:1000]
PAIRS = [*PARAPHRASES, *NEGATIONS, *NUMBERS, *LOOK_ALIKES]
