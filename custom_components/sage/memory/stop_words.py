"""Words that say nothing about what a memory is about, in the languages of SAGE.

Folded as `lexical.words` folds them: small letters without accents, in pieces between apostrophes.
A word that means a thing in another of the languages, such as the French "son", is left out: where
it is common, its weight is low anyway.
"""

from typing import Final

_ENGLISH: Final = """
    a about after again all also am an and any are as at be because been before being between both
    but by can could did do does doing don done down during each either for from further had has
    have having he her here hers herself him himself his how i if in into is isn it its itself just
    let ll may me might more most must my myself neither no nor not now of off on once only or
    other our ours ourselves out over own please re same shall she should so some such than that
    the their theirs them themselves then there these they this those through to too under until up
    upon us ve very was wasn we were what when where whether which while who whom whose why will
    with within without would yes yet you your yours yourself
"""

_GERMAN: Final = """
    aber alle allem allen aller alles als also am an auch auf aus bei beim bis bist bitte da
    damit dann das dass dein deine dem den denn der des dich die dies diese diesem diesen dieser
    dieses dir doch du durch ein eine einem einen einer eines er es etwas euch euer eure hab
    habe haben hast hatte ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja
    jede jedem jeden jeder jedes kann kannst kein keine keinen konnen mein meine meinem
    meinen meiner mich mir mit muss nach nein nicht noch nun nur ob oder ohne schon sehr sein seine
    seinem seinen seiner seit selbst sich sie sind so soll sollen uber um und uns unser unsere
    unter vom von vor wann waren warum was weil welche welchem welchen welcher welches wem wen
    wenn wer werden wessen wie wieder wir wird wo wurde zu zum zur
"""

_FRENCH: Final = """
    ai alors apres as au aucun aussi autre aux avant avec avez avoir avons c ca ce cela celle
    celui ces cet cette ceux chez comme d dans de des donc dont du elle elles en encore
    entre est et etaient etais etait etre eu eux fait il ils j je l la le les leur leurs
    lui m ma mais me meme mes moi mon n ne ni nos notre nous on ont ou par pas peut
    pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses si sienne
    sont sous suis sur t ta te tes toi tous tout toute toutes tres tu un une vers voici voila
    vos votre vous y
"""

STOP_WORDS: Final = frozenset(f"{_ENGLISH} {_GERMAN} {_FRENCH}".split())
"""Articles, pronouns, prepositions, conjunctions, auxiliary and question words."""
